package io.lockstep.deploy.onos;

/**
 * An application that runs in this node.
 *
 * @param origin who it is from
 * @param version empty where it is not known
 */
public record OnosApplication(String name, String origin, String version) {}
