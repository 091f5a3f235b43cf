"""Settings for all tests."""

import signal

# If the caller of the tests ignores SIGINT, as shells do for background jobs, the programs that the tests
# start would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
