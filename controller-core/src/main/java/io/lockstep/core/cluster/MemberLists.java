package io.lockstep.core.cluster;

import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Publishes which processes this node's file lists, and compares that with the other nodes' lists.
 * Nothing is reconfigured by a difference: it is logged and shown, and a node whose list is not the
 * majority's is not ready. Owned by the control loop.
 */
public final class MemberLists implements Membership.Listener {
  private static final BoundedLog log = BoundedLog.of(MemberLists.class);
  private static final long RETRY_MILLIS = 6_000;

  private final String node;
  private final MemberList own;
  private final StoreClient store;
  private final ControlLoop loop;
  private final Membership membership;
  private final TableView<String, MemberList> view;
  private final MemberListNews news = new MemberListNews();
  private boolean inFlight;

  /** Declares the table of lists and listens to it. */
  public MemberLists(NodeConfig config, StoreClient store, NodeState state, Membership membership) {
    this.node = config.nodeId();
    boolean fits =
        config.file().getBytes(StandardCharsets.UTF_8).length <= MemberList.MAX_FILE_BYTES;
    this.own = new MemberList(fits ? config.file() : "", config.processes());
    this.store = store;
    this.loop = state.loop();
    this.membership = membership;
    this.view = state.declare(MemberListTable.NAME, new MemberListTable());
    view.addListener((key, old, now) -> review());
    membership.sessions().addListener((session, old, now) -> review());
    membership.addListener(this);
  }

  /** What this node makes of the lists as it knows them now. Thread-safe. */
  MemberListRules.Verdict verdict() {
    Map<String, MemberList> published = new TreeMap<>();
    view.entries().forEach((name, held) -> published.put(name, held.value()));
    return MemberListRules.judge(node, own, published, membership.liveNodes().keySet());
  }

  /** Where the nodes' files differ. Thread-safe. */
  public List<Difference> differences() {
    return verdict().differences();
  }

  /** Why this node is not ready; empty where its list is that of the majority. Thread-safe. */
  public String notReady() {
    return verdict().notReady();
  }

  @Override
  public void quorumGained(long sessionId) {
    publish();
    review();
  }

  @Override
  public void quorumLost(String reason) {}

  private void publish() {
    if (inFlight || membership.activeSession() == 0 || own.equals(view.get(node))) {
      return;
    }
    inFlight = true;
    MemberListTable codec = new MemberListTable();
    Bytes key = codec.encodeKey(node);
    store
        .submit(new Command.Put(MemberListTable.NAME, key, codec.encodeValue(own)))
        .thenAccept(reply -> loop.execute(() -> published(reply)));
  }

  private void published(Reply reply) {
    inFlight = false;
    if (!(reply instanceof Reply.Applied)) {
      log.warn("publish", "{}: cannot publish the member list yet: {}", node, reply);
      loop.schedule(RETRY_MILLIS, this::publish);
    }
  }

  private void review() {
    if (membership.activeSession() == 0) {
      return;
    }
    MemberListRules.Verdict verdict = verdict();
    String line = news.next(verdict);
    if (line.isEmpty()) {
      return;
    }
    if (!verdict.notReady().isEmpty()) {
      log.error("lists", "{}: {}", node, line);
    } else if (!verdict.differences().isEmpty()) {
      log.warn("lists", "{}: {}", node, line);
    } else {
      log.info("lists", "{}: {}", node, line);
    }
  }
}
