package io.lockstep.deploy.metrics;

import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.ChannelCounters;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of a process as far as they run; null for what does not, or not yet. Any thread. */
public interface MetricSources {

  /** The replica of this process. */
  @Nullable OrderingReplica replica();

  /** The state of that replica. */
  @Nullable StoreStateMachine machine();

  /** The client of the store. */
  @Nullable BatchingStoreClient client();

  /** The node. */
  @Nullable ControllerNode node();

  /** The keys of this process. */
  @Nullable LinkKeys keys();

  /** The counters of the OpenFlow server. */
  @Nullable ChannelCounters channels();

  /** How many requests the admin HTTP refused, by the reason; empty before it runs. */
  Map<String, Long> adminRefusals();

  /** Whether {@code /health/ready} is 200, by what node and replica say. */
  boolean ready(@Nullable NodeStatus status, @Nullable ReplicaStatus replicaStatus);
}
