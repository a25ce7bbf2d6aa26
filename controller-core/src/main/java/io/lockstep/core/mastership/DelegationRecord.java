package io.lockstep.core.mastership;

/**
 * A switch with an epoch of its own: its domain's master assigned it to a node that reaches it, or
 * took it back from there.
 *
 * @param domain the switch's domain
 * @param node the node that masters the switch; the domain's master where it was taken back
 * @param sessionId that node's session; the record counts only while it is open
 * @param epoch the switch's generation id under the record; above the domain's epoch when it was
 *     assigned. The domain has the switch again only in an epoch above it
 */
public record DelegationRecord(String domain, String node, long sessionId, long epoch) {}
