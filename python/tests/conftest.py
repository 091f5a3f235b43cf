"""What all tests need."""

import signal

# The caller of the tests may ignore it, as shells do for background jobs, and programs that the tests start would ignore it,
# too.
signal.signal(signal.SIGINT, signal.default_int_handler)
