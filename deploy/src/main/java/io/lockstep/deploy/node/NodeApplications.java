package io.lockstep.deploy.node;

import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.core.noun.NounAnswer;
import io.lockstep.core.noun.NounRunner;
import io.lockstep.core.noun.ResourceRunner;
import io.lockstep.core.packet.ApplicationStates;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.admin.ApplicationDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.ConfiguredApplication;
import io.lockstep.deploy.onos.ApplicationActivation;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.FailureLog;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's applications and their nouns for the admin HTTP. Thread-safe. */
final class NodeApplications implements ApplicationDoor, ApplicationActivation {
  private static final Logger log = LoggerFactory.getLogger(NodeApplications.class);

  private static final FailureLog failures = FailureLog.of(NodeApplications.class);

  private final List<ConfiguredApplication> applications;
  private final ApplicationStates states;
  private final NounRunner runner;
  private final List<ResourceOffer> resources;

  /** The applications of a node that runs. */
  NodeApplications(
      NodeSettings settings,
      StoreClient store,
      ScheduledExecutorService loop,
      ServiceRegistry services) {
    NetworkRoom room = services.get(NetworkRoom.class);
    this.states = services.get(ApplicationStates.class);
    List<ConfiguredApplication> configured = settings.applications().configured();
    this.applications =
        configured.stream()
            .sorted(Comparator.comparing((ConfiguredApplication one) -> one.asked().name()))
            .toList();
    NounRunner.Parts parts =
        new NounRunner.Parts(
            NodeApplications::begin,
            (millis, task) -> later(loop, millis, task),
            System::nanoTime,
            System::currentTimeMillis);
    this.runner =
        new NounRunner(
            configured.stream().map(ConfiguredApplication::asked).toList(),
            store,
            room::shownNetwork,
            room.counters().applicationFailures(),
            parts);
    ResourceRunner offering =
        new ResourceRunner(store, room::shownNetwork, room.counters().applicationFailures(), parts);
    this.resources =
        configured.stream().flatMap(one -> offering.offers(one.asked()).stream()).toList();
  }

  /** The resources of all applications. */
  List<ResourceOffer> resources() {
    return resources;
  }

  private static void later(ScheduledExecutorService loop, long millis, Runnable task) {
    // Not used: the log has what the task throws.
    ScheduledFuture<?> unused =
        loop.schedule(
            failures.logging("nouns", "the deadline", task), millis, TimeUnit.MILLISECONDS);
  }

  /** On a thread that the process does not need: its failure ends nothing, and so does its life. */
  private static void begin(Runnable task) {
    Thread thread = new Thread(task, "noun");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (failed, thrown) -> log.error("the thread of a noun failed", thrown));
    thread.start();
  }

  private ApplicationReport report(ConfiguredApplication one) {
    return report(one, states.isActive(one.asked().name()));
  }

  private static ApplicationReport report(ConfiguredApplication one, boolean active) {
    return new ApplicationReport(
        one.asked().name(),
        one.priority(),
        one.jar() == null ? "" : one.jar().toString(),
        active ? ACTIVE : INACTIVE,
        one.asked().nouns().stream().map(NodeApplications::report).toList());
  }

  private static NounReport report(Noun noun) {
    return new NounReport(
        noun.name(), noun.help(), noun.arguments().stream().map(NodeApplications::report).toList());
  }

  private static ArgumentReport report(NounArgument argument) {
    return new ArgumentReport(argument.name(), argument.allowed(), argument.isRequired());
  }

  @Override
  public List<ApplicationReport> applications() {
    return applications.stream().map(this::report).toList();
  }

  @Override
  public boolean isActive(String application) {
    return states.isActive(application);
  }

  @Override
  public CompletableFuture<Optional<String>> set(String application, boolean active) {
    return states
        .set(application, active)
        .thenApply(
            outcome ->
                outcome.fold(
                    known ->
                        known.fold(
                            done -> Optional.<String>empty(),
                            conflict ->
                                Optional.of("nothing was changed: the store has something else"),
                            failure -> Optional.of("nothing was changed: " + failure.reason())),
                    unknown -> Optional.of("whether it was changed is not known: " + unknown)));
  }

  @Override
  public CompletableFuture<Answer> activate(String application, boolean active) {
    ConfiguredApplication one =
        applications.stream()
            .filter(candidate -> candidate.asked().name().equals(application))
            .findFirst()
            .orElseThrow();
    return set(application, active)
        .thenApply(
            failure ->
                failure
                    .map(
                        why ->
                            new Answer(
                                why.startsWith("nothing") ? 503 : 504,
                                new NoRows(why, "see ./lockstep apps, and try again")))
                    // This node's view has it a moment later.
                    .orElseGet(() -> new Answer(200, report(one, active))));
  }

  @Override
  public CompletableFuture<Answer> ask(
      String application, String noun, Map<String, String> arguments) {
    return runner
        .ask(application, noun, arguments)
        .thenApply(answer -> said(application, noun, answer));
  }

  private static Answer said(String application, String noun, NounAnswer answer) {
    if (answer instanceof NounAnswer.Shown shown) {
      return new Answer(
          200,
          new ShownRows(
              application, noun, shown.rows().columns(), shown.rows().rows(), shown.isComplete()));
    }
    NounAnswer.Refused refused = (NounAnswer.Refused) answer;
    return new Answer(status(refused.reason()), new NoRows(refused.error(), refused.remedy()));
  }

  private static int status(NounAnswer.Reason reason) {
    return switch (reason) {
      case WRONG_ARGUMENTS -> 400;
      case UNKNOWN -> 404;
      case FAILED -> 500;
      case BUSY, STORE -> 503;
      case LATE -> 504;
    };
  }
}
