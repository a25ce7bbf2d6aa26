package io.lockstep.core.southbound;

/**
 * A group of type indirect that leads to one port (OpenFlow 1.3.5 section 5.6.1).
 *
 * @param id unsigned 32-bit
 * @param port to which its only bucket sends
 * @param popsTag whether it takes the outer VLAN tag away before
 */
public record PortGroup(int id, long port, boolean popsTag) {}
