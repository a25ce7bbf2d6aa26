/**
 * What parts of the store count and time for operators. A leaf: it imports nothing of the store.
 * Whoever records pays some nanoseconds; whoever reads adds up.
 */
@NullMarked
package io.lockstep.store.measure;

import org.jspecify.annotations.NullMarked;
