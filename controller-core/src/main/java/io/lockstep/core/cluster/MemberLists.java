package io.lockstep.core.cluster;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.WriteOutcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes which processes the file of this node or replica lists, and compares that with the
 * lists of the others. Nothing is reconfigured by a difference: it is logged and shown, and a
 * process whose list is not the majority's is not ready. Owned by the control loop.
 */
public final class MemberLists implements Membership.Listener {
  private static final BoundedLog log = BoundedLog.of(MemberLists.class);
  private static final long RETRY_MILLIS = 6_000;
  private static final TableDef<String, MemberList> LISTS =
      new TableDef<>(MemberListTable.NAME, new MemberListTable());

  private final String name;
  private final MemberList own;
  private final TypedTable<String, MemberList> table;
  private final ControlLoop loop;
  private final BooleanSupplier takesPart;
  private final LiveProcesses live;
  private final TableView<String, ReplacedMachines> machines;
  private final TableView<String, MemberList> view;
  private final MemberListNews news = new MemberListNews();
  private boolean inFlight;

  /** The last answer: every report asks, and the lists hardly ever change. */
  private volatile @Nullable Answer judged;

  private record Question(MemberList own, Map<String, MemberList> published, Set<String> live) {}

  private record Answer(Question question, MemberListRules.Verdict verdict) {}

  /** The lists as a node sees them: declares their table and listens to it. */
  public MemberLists(NodeConfig config, Store store, NodeState state, Membership membership) {
    this(
        config.nodeId(),
        MemberList.published(config.file(), config.processes()),
        store,
        state,
        () -> membership.activeSession() != 0,
        new LiveProcesses(membership.nodes(), membership.sessions()),
        membership.machines());
    membership.addListener(this);
  }

  /**
   * The same for any process.
   *
   * @param name under which its list is published
   * @param takesPart whether the store can be asked and the views show it; any thread
   */
  MemberLists(
      String name,
      MemberList own,
      Store store,
      NodeState state,
      BooleanSupplier takesPart,
      LiveProcesses live,
      TableView<String, ReplacedMachines> machines) {
    this.name = name;
    this.own = own;
    this.table = store.table(LISTS);
    this.loop = state.loop();
    this.takesPart = takesPart;
    this.live = live;
    this.machines = machines;
    machines.addListener((key, old, now) -> review());
    this.view = state.declare(MemberListTable.NAME, new MemberListTable());
    view.addListener((key, old, now) -> review());
    live.sessions().addListener((session, old, now) -> review());
  }

  /** What this process makes of the lists as it knows them now. Thread-safe. */
  MemberListRules.Verdict verdict() {
    Map<String, MemberList> published = new TreeMap<>();
    view.entries().forEach((key, held) -> published.put(key, present(held.value())));
    Question question = new Question(present(own), published, live.names());
    Answer last = judged;
    if (last == null || !last.question().equals(question)) {
      last = new Answer(question, judge(question));
      judged = last;
    }
    return last.verdict();
  }

  private MemberListRules.Verdict judge(Question question) {
    return MemberListRules.judge(name, question.own(), question.published(), question.live());
  }

  /** Where a machine was replaced, the store says where it is now, and no file has to. */
  private MemberList present(MemberList list) {
    ReplacedMachines now = machines.known(MachineTable.KEY);
    return now == null
        ? list
        : new MemberList(list.file(), MachineAddresses.applied(list.processes(), now));
  }

  /** Where the files differ. Thread-safe. */
  public List<Difference> differences() {
    return verdict().differences();
  }

  /** Why this process is not ready; empty where its list is that of the majority. Thread-safe. */
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

  /** Tells the store this process's list, where it has another. */
  void publish() {
    if (inFlight || !takesPart.getAsBoolean() || own.equals(view.known(name))) {
      return;
    }
    inFlight = true;
    after(table.put(name, own), loop, this::published);
  }

  private void published(WriteOutcome<Long> outcome) {
    inFlight = false;
    // To write the list twice is as good as once, so an unknown outcome is tried again, too.
    outcome.handle(result -> result.ifDone(version -> {}, this::notPublished), this::notPublished);
  }

  private void notPublished(String why) {
    log.warn("publish", "{}: cannot publish the member list yet: {}", name, why);
    loop.schedule(RETRY_MILLIS, this::publish);
  }

  /** Logs what is new about the lists. */
  void review() {
    if (!takesPart.getAsBoolean()) {
      return;
    }
    MemberListRules.Verdict verdict = verdict();
    String line = news.next(verdict);
    if (line.isEmpty()) {
      return;
    }
    if (!verdict.notReady().isEmpty()) {
      log.error("lists", "{}: {}", name, line);
    } else if (!verdict.differences().isEmpty()) {
      log.warn("lists", "{}: {}", name, line);
    } else {
      log.info("lists", "{}: {}", name, line);
    }
  }
}
