package io.lockstep.bench.store;

import io.lockstep.apps.Applications;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * One replica of the store as a process: {@code CLUSTER ID PORT...}. Ends when its standard input
 * ends, or with 10 when the replica halts.
 */
public final class ReplicaMain {
  private static final int HALTED = 10;

  private ReplicaMain() {}

  /** All replicas on loopback, in the order of their ids. */
  static List<Member> members(List<Integer> ports) {
    List<Member> members = new ArrayList<>();
    for (int id = 0; id < ports.size(); id++) {
      members.add(new Member(id, "127.0.0.1", ports.get(id)));
    }
    return members;
  }

  /** Runs the replica. */
  public static void main(String[] arguments) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 2; i < arguments.length; i++) {
      ports.add(Integer.valueOf(arguments[i]));
    }
    ReplicaConfig config =
        ReplicaConfig.of(arguments[0], Integer.parseInt(arguments[1]), members(ports));
    try (BftSmartReplica replica =
        BftSmartReplica.start(
            config,
            new StoreStateMachine(Applications.microComponents()),
            onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD),
            reason -> {
              LoggerFactory.getLogger(ReplicaMain.class).error("the replica halts: {}", reason);
              Runtime.getRuntime().halt(HALTED);
            })) {
      while (System.in.read() >= 0) {
        // Until the parent is gone.
      }
      LoggerFactory.getLogger(ReplicaMain.class).info("{}", replica.status());
    }
    System.exit(0);
  }
}
