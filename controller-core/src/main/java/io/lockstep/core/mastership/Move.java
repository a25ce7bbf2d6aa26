package io.lockstep.core.mastership;

/**
 * An operator's wish that a node masters a domain. It counts before the domain's preferred masters,
 * while the node's session is open and the node is not drained. It gives no right: the domain
 * changes hands as in any hand-over.
 *
 * @param node who shall master the domain
 * @param sessionId its session; a node that was started anew is no longer meant
 * @param epoch of the domain when the operator decided; 0 where it never had a master
 * @param stays whether the wish outlives the hand-over; else it ends with the epoch, and the
 *     preferred masters count again
 */
public record Move(String node, long sessionId, long epoch, boolean stays) {}
