package io.lockstep.store.engine.bftsmart;

import bftsmart.communication.SystemMessage;
import bftsmart.communication.client.CommunicationSystemServerSide;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.util.HostsConfig;
import bftsmart.reconfiguration.util.TOMConfiguration;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.core.TOMLayer;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.engine.bftsmart.library.NetworkEdges;
import io.lockstep.store.engine.bftsmart.library.ReplicaTransport;
import io.lockstep.store.engine.bftsmart.library.StampedBatch;
import java.util.Properties;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/**
 * The seam to the library: the library asks this object for its configuration and view, and calls
 * {@link #setTomLayer} when it has built its stack. It reads and writes no files. The view is
 * fixed.
 */
final class EngineViewController extends ServerViewController
    implements NetworkEdges, StampedBatch.Stamps {
  private final ReplicaCore core;

  EngineViewController(ReplicaConfig config, ReplicaCore core) {
    super(configuration(config), new MemoryBasedViewStorage());
    this.core = core;
  }

  /** A replica's configuration in the library's terms. */
  static TOMConfiguration configuration(ReplicaConfig config) {
    return new CrashFaultConfiguration(config);
  }

  @Override
  public void setTomLayer(TOMLayer tom) {
    super.setTomLayer(tom);
    core.assemble(tom);
  }

  @Override
  public ReplicaTransport openReplicaLinks(LinkedBlockingQueue<SystemMessage> unused) {
    return core.openLinks();
  }

  @Override
  public CommunicationSystemServerSide openClientPort() {
    return core.clientPort();
  }

  @Override
  public long nowMillis() {
    return core.clock().nowMillis();
  }

  @Override
  public void proposed(byte[] value) {
    core.clock().proposed(value);
  }

  /**
   * Corrects f. The library computes f as (n-1)/3 even for crash faults, so three replicas would
   * tolerate none.
   */
  private static final class CrashFaultConfiguration extends TOMConfiguration {
    private final int faults;

    CrashFaultConfiguration(ReplicaConfig config) {
      super(config.replicaId(), properties(config), hosts(config));
      this.faults = config.faults();
    }

    @Override
    public int getF() {
      return faults;
    }

    private static HostsConfig hosts(ReplicaConfig config) {
      HostsConfig hosts = new HostsConfig();
      for (Member member : config.members()) {
        hosts.add(member.id(), member.host(), member.port());
      }
      return hosts;
    }

    /** A new object for each replica, since the library removes the entries that it has read. */
    private static Properties properties(ReplicaConfig config) {
      Properties properties = new Properties();
      String view =
          config.members().stream()
              .map(member -> Integer.toString(member.id()))
              .collect(Collectors.joining(","));
      String queue = Integer.toString(config.limits().maxQueuedMessages());
      String unreachable = Integer.toString(Integer.MAX_VALUE / 4);
      String[][] settings = {
        {"system.servers.num", Integer.toString(config.members().size())},
        {"system.servers.f", Integer.toString(config.faults())},
        {"system.initial.view", view},
        {"system.bft", "false"},
        {"system.communication.defaultkeys", "true"},
        {"system.communication.useSenderThread", "true"},
        {"system.communication.useMACs", "0"},
        {"system.communication.useSignatures", "0"},
        {"system.communication.useControlFlow", "0"},
        {"system.communication.inQueueSize", queue},
        {"system.communication.outQueueSize", queue},
        // How often the library repeats a STOP before the new regency begins.
        {"system.totalordermulticast.timeout", "500"},
        {
          "system.totalordermulticast.maxbatchsize",
          Integer.toString(config.limits().maxBatchRequests())
        },
        {"system.totalordermulticast.nonces", "0"},
        {"system.totalordermulticast.highMark", unreachable},
        {"system.totalordermulticast.revival_highMark", unreachable},
        {"system.totalordermulticast.timeout_highMark", unreachable},
        {"system.totalordermulticast.state_transfer", "true"},
        {"system.totalordermulticast.log", "false"},
        {"system.totalordermulticast.log_to_disk", "false"},
        {"system.totalordermulticast.checkpoint_to_disk", "false"},
        {"system.numrepliers", "0"},
        {"system.numnettyworkers", "1"},
        {"system.shutdownhook", "false"},
        {"system.debug", "0"},
      };
      for (String[] setting : settings) {
        properties.setProperty(setting[0], setting[1]);
      }
      return properties;
    }
  }
}
