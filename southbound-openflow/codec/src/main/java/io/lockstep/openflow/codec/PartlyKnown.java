package io.lockstep.openflow.codec;

import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * A flow statistics reply without those of its entries that openflowj does not know: an action or a
 * match field of a vendor. One controller's entry does not hide those of the others.
 *
 * @param known the reply with all other entries
 * @param left how many entries are left out, at least one
 * @param unknown the first thing that is not known
 */
public record PartlyKnown(OFMessage known, int left, UnsupportedMessage unknown) {}
