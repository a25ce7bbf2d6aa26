/** Programs that read and write over HTTP, beside flow set-ups, at three whole nodes. */
@NullMarked
package io.lockstep.bench.rest;

import org.jspecify.annotations.NullMarked;
