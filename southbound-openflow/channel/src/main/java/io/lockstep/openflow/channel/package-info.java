/**
 * OpenFlow connections of switches. {@code OpenFlowServer} listens, {@code HandshakeHandler} brings
 * a connection up, {@code SwitchRegistry} keeps one session for each datapath id, {@code
 * SessionHandler} hands inward what the switch says and {@code SwitchSession} is the node's {@code
 * SwitchConnection}. Everything about one connection belongs to its event loop.
 */
@NullMarked
package io.lockstep.openflow.channel;

import org.jspecify.annotations.NullMarked;
