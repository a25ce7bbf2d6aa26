/**
 * The keys of a cluster's process: who a peer is, whether its certificate counts, and TLS for
 * netty, for blocking sockets and for a web server. Below all modules with a socket; {@code
 * io.lockstep.keys.pki} makes the files that this room reads.
 */
@NullMarked
package io.lockstep.keys;

import org.jspecify.annotations.NullMarked;
