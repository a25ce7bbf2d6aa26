/** What a run counts and times, free of sockets and threads; time is an argument. */
@NullMarked
package io.lockstep.bench.measure;

import org.jspecify.annotations.NullMarked;
