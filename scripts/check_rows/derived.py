"""The columns of values that the command derives from a record, and a base for them."""

DERIVED = "normalized resolved to_uri surt suffix domain private_suffix private_domain".split()
BASE = "http://u@b.example.co.uk/c/d?e"
