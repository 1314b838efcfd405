"""What hardware is, and what all else stands on."""

from machines.changed_code import watch

watch(__name__)
