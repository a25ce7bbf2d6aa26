package io.lockstep.core.device;

import org.onosproject.net.Port;

/**
 * A port of a switch.
 *
 * @param name as the switch calls it; may be empty
 * @param enabled whether it is administratively up and has a link
 * @param speedMbps 0 where unknown
 */
public record PortRecord(String name, boolean enabled, Port.Type type, long speedMbps) {}
