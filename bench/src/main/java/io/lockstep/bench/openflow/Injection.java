package io.lockstep.bench.openflow;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Further messages that a played switch sends to the controllers that hear its packet-ins.
 *
 * @param switchIndex of the switch in the plan
 * @param perTick at most so many messages in each turn of {@link OpenFlowLoad#TICK_MILLIS}; fewer
 *     where the controller does not read them
 * @param message writes one whole message; called on the event loop
 */
public record Injection(int switchIndex, int perTick, Consumer<ByteBuf> message) {}
