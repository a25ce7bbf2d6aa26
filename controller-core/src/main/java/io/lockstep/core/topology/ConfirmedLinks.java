package io.lockstep.core.topology;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Membership;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.WriteOutcome;
import java.util.Map;

/**
 * Writes into the store how far this node follows the links, and knows how far the others do. A
 * node that sees others further than it said itself, and has nothing left to compute, says the same
 * index: so all come to one index, even where one read the store anew and does not know which
 * change was the last. One write is on its way at a time. Owned by the control loop.
 */
public final class ConfirmedLinks implements FollowedLinks {
  private static final BoundedLog log = BoundedLog.of(ConfirmedLinks.class);
  private static final long RETRY_MILLIS = 300;
  private static final LinkConfirmationTable TABLE = new LinkConfirmationTable();

  private final String self;
  private final NodeState state;
  private final Membership membership;
  private final TypedTable<String, LinkConfirmation> written;
  private final TableView<String, LinkConfirmation> confirmations;
  private long lastChange;
  private long followed;
  private boolean inFlight;

  /**
   * Follows the table of confirmations; {@link #linkChanged} must be told every change of links.
   *
   * @param self the name of this node
   * @param changed runs where others follow further than before, or need not any more
   */
  public ConfirmedLinks(
      String self, NodeState state, Membership membership, Store store, Runnable changed) {
    this.self = self;
    this.state = state;
    this.membership = membership;
    this.confirmations = state.declare(LinkConfirmationTable.NAME, TABLE);
    this.written =
        store.table(
            TableDef.of(
                LinkConfirmationTable.NAME,
                Codec.of(TABLE::encodeKey, TABLE::decodeKey),
                Codec.of(TABLE::encodeValue, TABLE::decodeValue)));
    confirmations.addListener(
        (node, old, now) -> {
          confirm();
          changed.run();
        });
    membership.sessions().addListener((session, old, now) -> changed.run());
    membership.addListener(
        new Membership.Listener() {
          @Override
          public void quorumGained(long sessionId) {
            confirm();
          }

          @Override
          public void quorumLost(String reason) {
            // What this node said ends with its session.
          }
        });
  }

  /** A link came or went, as the views of this node show now. */
  public void linkChanged() {
    lastChange = state.index();
  }

  @Override
  public long lastChange() {
    return lastChange;
  }

  @Override
  public void followed(long index) {
    followed = index;
    confirm();
  }

  @Override
  public boolean areFollowedByAll(long index) {
    for (Map.Entry<String, Long> node : membership.liveNodes().entrySet()) {
      if (!membership.isSelf(node.getKey()) && said(node) < index) {
        return false;
      }
    }
    return true;
  }

  /** How far a node said in this session that it follows; 0 where it said nothing. */
  private long said(Map.Entry<String, Long> node) {
    LinkConfirmation confirmation = confirmations.known(node.getKey());
    return confirmation != null && confirmation.sessionId() == node.getValue()
        ? confirmation.index()
        : 0;
  }

  private void confirm() {
    long session = membership.activeSession();
    long index = index();
    if (inFlight || session == 0 || index == 0 || said(Map.entry(self, session)) >= index) {
      return;
    }
    inFlight = true;
    after(written.put(self, new LinkConfirmation(session, index)), state.loop(), this::answered);
  }

  private long index() {
    long index = followed;
    if (followed == lastChange) {
      // Who wrote a further one did so behind it in the order, so this node knows all up to there.
      for (Map.Entry<String, Long> node : membership.liveNodes().entrySet()) {
        index = Math.max(index, said(node));
      }
    }
    return index;
  }

  private void answered(WriteOutcome<Long> outcome) {
    outcome.handle(
        result ->
            result.ifDone(version -> state.whenVisible(version, this::confirmNext), this::retry),
        this::retry);
  }

  private void confirmNext() {
    inFlight = false;
    confirm();
  }

  private void retry(String why) {
    log.warn(self, "{}: could not confirm the links that it follows yet: {}", self, why);
    state.loop().schedule(RETRY_MILLIS, this::confirmNext);
  }
}
