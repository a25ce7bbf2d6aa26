package io.lockstep.core.node;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.Fencing;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.StoreClient;
import io.lockstep.store.typed.Store;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What a room may use of its node.
 *
 * @param store for hot paths; {@code typed} for all others
 * @param typed the same store by type; futures complete on the store client's loop, so a
 *     continuation that touches the room's state goes on on the control loop
 * @param state declares tables; its loop is the control loop
 * @param events runs the listeners of onos-api's services, one after the other
 * @param services where a room offers its services, and finds those of the rooms before it
 * @param nanoClock monotone, the clock of the store client
 * @param wallMillis milliseconds since 1970
 * @param traffic of {@code store}
 */
public record NodeContext(
    NodeConfig config,
    StoreClient store,
    Store typed,
    NodeState state,
    Membership membership,
    Connections connections,
    Ownership ownership,
    MasteredSwitches mastery,
    Fencing fencing,
    Executor events,
    ServiceRegistry services,
    LongSupplier nanoClock,
    LongSupplier wallMillis,
    StoreTraffic traffic) {}
