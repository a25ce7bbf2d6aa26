package io.lockstep.bench.store;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A learning switch's flow in one operation (ls-ucast micro): the very command that the application
 * asks the store for a packet. Each host appears at another port each time, so that every flow
 * writes, as in the paper: the application's micro component would leave an unchanged entry alone.
 */
final class ForwardWorkload implements Workload {
  private static final int SWITCHES = 16;
  private static final int HOSTS = 64;
  private static final int PORTS = 2;
  private static final int KNOWN = 1;
  private static final int MOVED = 2;

  private final List<Command> commands = new ArrayList<>();

  ForwardWorkload() {
    LearningSwitch application = new LearningSwitch(LearningSwitch.Config.DEFAULT);
    for (int port = 1; port <= PORTS; port++) {
      for (int host = 0; host < HOSTS; host++) {
        for (int index = 0; index < SWITCHES; index++) {
          PacketView packet = new BenchPacket(1 + index, port, host, (host + 1) % HOSTS);
          Decision decision = application.packetIn(packet, BenchPacket.NETWORK);
          if (!(decision instanceof Decision.Ask ask)) {
            throw new IllegalStateException("the learning switch does not ask the store");
          }
          commands.add(ask.command());
        }
      }
    }
  }

  @Override
  public List<Command> preparation() {
    return commands;
  }

  @Override
  public CompletableFuture<Boolean> flow(StoreClient client, long number) {
    return client
        .submit(commands.get((int) (number % commands.size())))
        .thenApply(ForwardWorkload::isForwarded);
  }

  /** Whether the destination's port came back: flags (1 byte) and port (4). */
  private static boolean isForwarded(Reply reply) {
    return reply instanceof Reply.Returned returned
        && returned.result().length() == 5
        && (returned.result().at(0) & KNOWN) != 0;
  }

  /** Whether the source was written, for the test. */
  static boolean isWritten(Reply reply) {
    return reply instanceof Reply.Returned returned && (returned.result().at(0) & MOVED) != 0;
  }
}
