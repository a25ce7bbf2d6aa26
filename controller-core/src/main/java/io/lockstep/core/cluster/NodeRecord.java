package io.lockstep.core.cluster;

/**
 * What a node says of itself. It counts only while its session is open.
 *
 * @param sessionId the node's session with the store
 * @param host as the other nodes reach it
 * @param port its witness port
 * @param version of its software
 * @param ready whether all its rooms follow the store; before that it is only there
 * @param updatedMillis when it said so, in consensus-ordered time
 */
public record NodeRecord(
    long sessionId, String host, int port, String version, boolean ready, long updatedMillis) {}
