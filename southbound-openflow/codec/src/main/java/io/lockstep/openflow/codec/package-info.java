/**
 * OpenFlow on the wire: frames to openflowj's messages and back. {@code MessageDecoder} decodes
 * inward, {@code MessageEncoder} encodes outward, {@code Hello} carries the version negotiation.
 * This room trusts no byte it reads and knows nothing of switches, controllers or sessions.
 */
@NullMarked
package io.lockstep.openflow.codec;

import org.jspecify.annotations.NullMarked;
