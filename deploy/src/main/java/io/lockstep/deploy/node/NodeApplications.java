package io.lockstep.deploy.node;

import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.noun.NounAnswer;
import io.lockstep.core.noun.NounRunner;
import io.lockstep.core.noun.ResourceRunner;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.admin.ApplicationDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.NodeSettings.ConfiguredApplication;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.FailureLog;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's applications and their nouns for the admin HTTP. Thread-safe. */
final class NodeApplications implements ApplicationDoor {
  private static final Logger log = LoggerFactory.getLogger(NodeApplications.class);

  private static final FailureLog failures = FailureLog.of(NodeApplications.class);

  private final List<ApplicationReport> applications;
  private final NounRunner runner;
  private final List<ResourceOffer> resources;

  /** The applications of a node that runs. */
  NodeApplications(
      NodeSettings settings, StoreClient store, ScheduledExecutorService loop, NetworkRoom room) {
    List<ConfiguredApplication> configured = settings.applications().configured();
    this.applications =
        configured.stream()
            .map(NodeApplications::report)
            .sorted(Comparator.comparing(ApplicationReport::name))
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

  private static ApplicationReport report(ConfiguredApplication one) {
    return new ApplicationReport(
        one.asked().name(),
        one.priority(),
        one.jar() == null ? "" : one.jar().toString(),
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
    return applications;
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
