package io.lockstep.bench.atomix;

import io.atomix.cluster.Node;
import io.atomix.cluster.discovery.BootstrapDiscoveryProvider;
import io.atomix.core.Atomix;
import io.atomix.core.AtomixBuilder;
import io.atomix.core.AtomixRegistry;
import io.atomix.core.counter.AtomicCounterType;
import io.atomix.core.map.AtomicMapType;
import io.atomix.core.registry.SimpleRegistry;
import io.atomix.primitive.partition.impl.PrimaryElectorType;
import io.atomix.primitive.session.impl.SessionIdGeneratorType;
import io.atomix.protocols.raft.MultiRaftProtocol;
import io.atomix.protocols.raft.partition.RaftPartitionGroup;
import io.atomix.storage.StorageLevel;
import io.atomix.utils.net.Address;
import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.StoreAdapter;
import java.util.ArrayList;
import java.util.List;

/**
 * Atomix as a store under load. Its log is in mapped files: durable means that they are on the disk
 * and that each commit is to be flushed - which this version never does, since the setting does not
 * get from its Raft log to the journal below - in memory that they are in a file system in memory
 * where the machine has one.
 */
public final class AtomixAdapter implements StoreAdapter {
  static final String GROUP = "data";
  private static final int CLIENT_PORT = 2;

  @Override
  public AutoCloseable serve(Cluster cluster, int id) {
    Atomix member =
        builder(cluster)
            .withMemberId(name(id))
            .withAddress(Address.from(Cluster.HOST, cluster.port(id, 0)))
            .withManagementGroup(group(cluster, id, "system"))
            .withPartitionGroups(group(cluster, id, GROUP))
            .build();
    member.start().join();
    return () -> member.stop().join();
  }

  @Override
  public PeerStore connect(Cluster cluster) {
    Atomix client =
        builder(cluster)
            .withMemberId("load")
            .withAddress(Address.from(Cluster.HOST, cluster.port(0, CLIENT_PORT)))
            .build();
    client.start().join();
    return new AtomixStore(client);
  }

  private static RaftPartitionGroup group(Cluster cluster, int id, String name) {
    return RaftPartitionGroup.builder(name)
        .withNumPartitions(1)
        .withMembers(members())
        .withStorageLevel(StorageLevel.MAPPED)
        .withFlushOnCommit(cluster.durable())
        .withDataDirectory(cluster.directory(id).resolve(name).toFile())
        .build();
  }

  private static List<String> members() {
    List<String> members = new ArrayList<>();
    for (int id = 0; id < Cluster.SERVERS; id++) {
      members.add(name(id));
    }
    return members;
  }

  private static String name(int id) {
    return "server-" + id;
  }

  /** The types used, so that the class path need not be searched for them. */
  private static AtomixBuilder builder(Cluster cluster) {
    AtomixRegistry types =
        SimpleRegistry.builder()
            .addDiscoveryProviderType(BootstrapDiscoveryProvider.TYPE)
            .addPartitionGroupType(RaftPartitionGroup.TYPE)
            .addProtocolType(MultiRaftProtocol.TYPE)
            .addPrimitiveType(AtomicMapType.instance())
            .addPrimitiveType(AtomicCounterType.instance())
            .addPrimitiveType(PrimaryElectorType.instance())
            .addPrimitiveType(SessionIdGeneratorType.instance())
            .addPrimitiveType(TablesType.INSTANCE)
            .build();
    List<Node> nodes = new ArrayList<>();
    for (int id = 0; id < Cluster.SERVERS; id++) {
      nodes.add(
          Node.builder()
              .withId(name(id))
              .withAddress(Address.from(Cluster.HOST, cluster.port(id, 0)))
              .build());
    }
    return Atomix.builder(types)
        .withClusterId("compare")
        .withMembershipProvider(BootstrapDiscoveryProvider.builder().withNodes(nodes).build());
  }
}
