/**
 * What keeps the log of a process readable and bounded. Every module may use it; it knows no
 * logging library.
 */
@NullMarked
package io.lockstep.store.logging;

import org.jspecify.annotations.NullMarked;
