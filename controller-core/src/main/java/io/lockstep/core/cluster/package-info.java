/**
 * Who is in the cluster: this node's identity and configuration, its session with the store as its
 * lease, the members and what they are connected to, and the witness that tells a dead process from
 * a silent one. Neighbours: mastership asks here who lives; the store's client keeps the session.
 */
@NullMarked
package io.lockstep.core.cluster;

import org.jspecify.annotations.NullMarked;
