/**
 * Our code inside the ordering library: it rewrites the library's classes before they are loaded,
 * and has the few types that the rewritten classes call. These types are public only because the
 * library's packages call them. Only {@code engine.bftsmart} may use them.
 */
@NullMarked
package io.lockstep.store.engine.bftsmart.library;

import org.jspecify.annotations.NullMarked;
