/**
 * What stands inside the ordering library: the rewriting of its classes before they are loaded, and
 * the few types that the rewritten classes call. Public only because the library's packages call
 * in; nothing outside {@code engine.bftsmart} may use it.
 */
@NullMarked
package io.lockstep.store.engine.bftsmart.library;

import org.jspecify.annotations.NullMarked;
