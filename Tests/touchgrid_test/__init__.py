"""What all tests in Python share: a client of the daemon, the daemon itself, fingers that touch its panels, browsers, and
the runner of the tests. Put the folder above this one into PYTHONPATH."""
