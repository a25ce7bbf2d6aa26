/**
 * What is known of a model of switch, as values read from YAML: its tables and what each holds,
 * what happens when one is full, what packets cost that its processor forwards, and its quirks.
 * Rules of placement only; {@code flowtable} and {@code model} live by them. Knows header fields,
 * nothing else.
 */
@NullMarked
package io.lockstep.dataplane.profile;

import org.jspecify.annotations.NullMarked;
