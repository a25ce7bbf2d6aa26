package io.lockstep.core.flow.placed;

import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.state.Alarm;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the node lends to each placed switch.
 *
 * @param writer writes to the store on behalf of the switch's domain
 * @param loop the control loop
 * @param alarm runs a task on the control loop later
 * @param wallMillis milliseconds since 1970
 * @param packetIns for counting packets of entries that switches do not have
 */
public record SwitchEnvironment(
    DomainWriter writer,
    Executor loop,
    Alarm alarm,
    LongSupplier wallMillis,
    PacketInBudget packetIns) {}
