package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.Applications;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.packet.CachedQuestions;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The store's real state machine with all components, which answers at once, and a node's cache in
 * front of it. Runs decisions to their end and keeps a trace of each event.
 */
final class PlayedStore implements StoreClient {
  private static final long FIRST_MILLIS = 1_000_000;

  final List<WorkloadEvent> events = new ArrayList<>();
  final VariantNode node;

  /** What others do just before a command of this node is carried out. */
  Consumer<Command> meanwhile = command -> {};

  /** Of the cache's clock. */
  long nowNanos = 1_000_000_000;

  /** Of the switch's mastership. */
  long term = 1;

  private final StoreStateMachine machine;
  private final long session;
  private final CachedQuestions cache;
  private final String application;

  /** What reached the store in the present event. */
  private final List<TracedOperation> asked = new ArrayList<>();

  /** What the present event wanted to know, of the cache, too: true for a write. */
  private final List<Boolean> questions = new ArrayList<>();

  private long operationId;

  PlayedStore(TracedApplication application, Variant variant) {
    this.application = application.label();
    node = new VariantNode(Set.of(application), variant, false);
    List<MicroComponent> components = new ArrayList<>(Applications.microComponents());
    components.addAll(VariantNode.components());
    machine = new StoreStateMachine(components);
    Request open =
        new Request(
            0, 0, List.of(new Request.Operation(0, new Command.OpenSession(1, "test", 600_000))));
    session =
        machine.apply(FIRST_MILLIS, open).replies().get(0) instanceof Reply.SessionOpened opened
            ? opened.sessionId()
            : -1;
    Map<String, TableSpec> tables = node.tables();
    declare(tables, false);
    declare(tables, true);
    cache = new CachedQuestions(this, () -> nowNanos, tables);
  }

  /** The tables that others refer to come first. */
  private void declare(Map<String, TableSpec> tables, boolean references) {
    tables.forEach(
        (name, spec) -> {
          if ((spec.target() != null) == references) {
            assertThat(apply(new Command.CreateTable(name, spec)))
                .isInstanceOf(Reply.Applied.class);
          }
        });
  }

  /** Carries a command out for another node. */
  Reply apply(Command command) {
    Request request =
        new Request(session, 0, List.of(new Request.Operation(++operationId, command)));
    return machine.apply(FIRST_MILLIS, request).replies().get(0);
  }

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    meanwhile.accept(command);
    Reply reply = apply(command);
    ByteWriter request = new ByteWriter(256);
    RequestEncoder.command(request, command);
    ByteWriter answer = new ByteWriter(256);
    ResponseEncoder.reply(answer, reply);
    long at = asked.size();
    asked.add(new TracedOperation("", at, at, command, reply, request.size(), answer.size()));
    return CompletableFuture.completedFuture(reply);
  }

  /** What is decided on a packet in the end; it is noted as a recorder does. */
  Decision end(Decision decision) {
    asked.clear();
    questions.clear();
    Decision last = follow(decision);
    long number = events.size() + 1L;
    TracedEvent event =
        new TracedEvent(number, application, "packet-in", 1, 1, 0, asked.size(), "decided", asked);
    events.add(WorkloadEvent.of(event).orElseThrow());
    return last;
  }

  private Decision follow(Decision decision) {
    if (!(decision instanceof Decision.Ask ask)) {
      return decision;
    }
    questions.add(!(ask.command().isRead() || ask.command() instanceof Command.Query));
    CompletableFuture<Reply> reply =
        ask.freshness().isExact()
            ? submit(ask.command())
            : cache.submit(ask.command(), ask.freshness(), term);
    assertThat(reply).isCompleted();
    return follow(ask.then().apply(reply.join()));
  }

  void passMillis(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The last event. */
  WorkloadEvent last() {
    return events.get(events.size() - 1);
  }

  /**
   * Checks number, types and order of the last event's operations against the paper's table. What
   * the cache answered counts here; without it the event may look like another.
   */
  void assertLastAsInThePaper(String workload, Variant variant) {
    List<Boolean> types = last().types();
    if (asked.size() == questions.size()) {
      assertThat(last().workload()).isEqualTo(workload);
    } else {
      assertThat(variant).isEqualTo(Variant.CACHE);
      types = questions;
    }
    assertThat(types)
        .as("%s %s: %s", workload, variant.label(), last().operations())
        .isEqualTo(WorkloadEvent.typesInThePaper(workload, variant));
  }

  /** How many operations of the last event reached the store, those of refused attempts, too. */
  int sent() {
    return last().event().operations().size();
  }

  /** How often something was counted. */
  static long counted(Decision decision, Instruction.Count count) {
    return decision instanceof Decision.Act act
        ? act.instructions().stream().filter(count::equals).count()
        : 0;
  }

  @Override
  public SessionState session() {
    return new SessionState(session, Long.MAX_VALUE / 2);
  }

  @Override
  public void onSessionChange(SessionListener listener) {}

  @Override
  public void close() {}
}
