package io.lockstep.core.app;

import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;

/**
 * A host as an application sees it.
 *
 * @param vlanId of its frames' outermost tag, or -1 for none; priority-tagged frames (VLAN id 0)
 *     count as untagged
 * @param location the port where it is
 */
public record KnownHost(MacAddress address, int vlanId, ConnectPoint location) {}
