package io.lockstep.bench.history.replica;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * One replica as a process: {@code CLUSTER ID BREAKAGE HOST:PORT...}, with the addresses as this
 * replica is to see them. Each line on standard input is a number; it answers {@code @NUMBER
 * STATUS}. It ends when its standard input ends, or with 10 when the replica halts.
 */
public final class ReplicaServer {
  private static final int HALTED = 10;
  private static final int FIRST_MEMBER = 3;

  private ReplicaServer() {}

  /** Runs the replica. */
  public static void main(String[] arguments) throws IOException {
    List<Member> members = new ArrayList<>();
    for (int i = FIRST_MEMBER; i < arguments.length; i++) {
      int colon = arguments[i].lastIndexOf(':');
      int port = Integer.parseInt(arguments[i].substring(colon + 1));
      members.add(new Member(i - FIRST_MEMBER, arguments[i].substring(0, colon), port));
    }
    ReplicaConfig config = ReplicaConfig.of(arguments[0], Integer.parseInt(arguments[1]), members);
    try (BftSmartReplica replica =
        BftSmartReplica.start(
            config,
            service(Breakage.valueOf(arguments[2])),
            onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD),
            reason -> {
              LoggerFactory.getLogger(ReplicaServer.class).error("the replica halts: {}", reason);
              Runtime.getRuntime().halt(HALTED);
            })) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line;
      while ((line = in.readLine()) != null) {
        System.out.println("@" + line + " " + describe(replica.status()));
      }
    }
    System.exit(0);
  }

  /** The store, or a broken one. */
  public static OrderedService service(Breakage breakage) {
    StoreStateMachine store = new StoreStateMachine(List.of());
    return breakage == Breakage.NONE ? store : new BrokenService(store, breakage);
  }

  private static String describe(ReplicaStatus status) {
    return status.phase()
        + " "
        + status.leaderId()
        + " "
        + status.regency()
        + " "
        + status.lastInstance()
        + " "
        + status.quorum();
  }
}
