package io.lockstep.openflow.channel;

import io.lockstep.core.state.Continuations;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One session for each datapath id. When a second connection claims an id, the session that has it
 * stays if it answers an echo; only a dead one is replaced. So nobody takes a switch over by
 * claiming its id. Thread-safe.
 */
final class SwitchRegistry {
  private final ConcurrentHashMap<Long, SwitchSession> byDpid = new ConcurrentHashMap<>();

  /**
   * Claims the newcomer's datapath id.
   *
   * @param outcome called on the newcomer's event loop: null for admitted, or why it is refused;
   *     not called where the newcomer closes meanwhile
   */
  void admit(SwitchSession newcomer, Consumer<@Nullable String> outcome) {
    newcomer.execute(() -> tryAdmit(newcomer, outcome));
  }

  /** On the newcomer's event loop. */
  private void tryAdmit(SwitchSession newcomer, Consumer<@Nullable String> outcome) {
    if (!newcomer.isOpen()) {
      return;
    }
    SwitchSession present = byDpid.putIfAbsent(newcomer.dpid(), newcomer);
    if (present == null) {
      outcome.accept(null);
      return;
    }
    Continuations.after(
        present.probe(),
        newcomer,
        alive -> {
          if (alive) {
            outcome.accept(refusal(newcomer, present));
          } else {
            present.close(
                "no answer to an echo while " + newcomer.remoteAddress() + " claims this switch");
            Continuations.after(present.ended(), newcomer, ended -> tryAdmit(newcomer, outcome));
          }
        });
  }

  /** Forgets a session that ended, if it is the one that has its id. */
  void remove(SwitchSession session) {
    byDpid.remove(session.dpid(), session);
  }

  private static String refusal(SwitchSession newcomer, SwitchSession present) {
    return "datapath id "
        + newcomer.deviceId()
        + " is already connected from "
        + present.remoteAddress()
        + ", which answers";
  }
}
