package io.lockstep.openflow.channel;

import java.util.concurrent.CompletableFuture;
import org.projectfloodlight.openflow.protocol.OFMessage;

/** Asks whether a switch lives: true for any answer, false for none. Owned by the event loop. */
record EchoProbe(CompletableFuture<Boolean> alive) implements Request {
  @Override
  public boolean onReply(OFMessage reply) {
    alive.complete(true);
    return true;
  }

  @Override
  public void onError(String error) {
    alive.complete(true);
  }

  @Override
  public void onLost(String reason) {
    alive.complete(false);
  }
}
