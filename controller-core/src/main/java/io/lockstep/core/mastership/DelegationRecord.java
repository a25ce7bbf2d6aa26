package io.lockstep.core.mastership;

/**
 * A switch that its domain's master cannot reach and handed to a node that can.
 *
 * @param domain the switch's domain
 * @param node the node that masters the switch
 * @param sessionId that node's session; the delegation counts only while it is open
 * @param epoch the switch's generation id under the delegation; above the domain's epoch when it
 *     was delegated, and the domain's epoch is raised above it when it is recalled
 */
public record DelegationRecord(String domain, String node, long sessionId, long epoch) {}
