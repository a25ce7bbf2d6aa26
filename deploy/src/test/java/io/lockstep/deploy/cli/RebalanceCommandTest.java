package io.lockstep.deploy.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code masters} and {@code rebalance} before masters in memory, which change at once. */
class RebalanceCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Masters masters = new Masters();
  private AdminServer server;

  private static final class Masters implements ResourceOffer {
    final TreeMap<String, String> at = new TreeMap<>();
    final Set<String> staying = new TreeSet<>();
    final Set<String> refused = new TreeSet<>();
    final List<String> asked = new ArrayList<>();
    int outdated;
    private long version = 1;

    @Override
    public ResourceDescription description() {
      return new ResourceDescription(
          "masters",
          "master",
          "masters",
          Pattern.compile("[a-z]+"),
          "a domain",
          List.of(
              ResourceField.text("node", Pattern.compile("[a-z0-9]+"), "a node"),
              ResourceField.flag("stays").usual(true)),
          Set.of(Change.SET));
    }

    private ResourceItem item(String domain) {
      String master = requireNonNull(at.get(domain));
      return new ResourceItem(
          domain,
          version,
          ResourceValues.builder()
              .text("node", master)
              .flag("stays", staying.contains(domain))
              .build(),
          ResourceValues.builder()
              .text("master", master)
              .texts("preferred", List.of("n1", "n2", "n3"))
              .build());
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> list() {
      return CompletableFuture.completedFuture(
          new ResourceAnswer.Items(at.keySet().stream().map(this::item).toList(), true));
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> show(String id) {
      return CompletableFuture.completedFuture(
          new ResourceAnswer.Items(at.containsKey(id) ? List.of(item(id)) : List.of(), true));
    }

    @Override
    public synchronized CompletableFuture<ResourceAnswer> change(ResourceChange change) {
      ResourceChange.Set set = (ResourceChange.Set) change;
      String node = set.fields().text("node");
      asked.add(set.id() + " " + node + " " + set.fields().flag("stays"));
      ResourceResult result;
      if (outdated > 0) {
        outdated--;
        version++;
        result = new ResourceResult.Outdated(version);
      } else if (refused.contains(node)) {
        result = new ResourceResult.Conflict("node", node + " is drained", "undrain it");
      } else {
        at.put(set.id(), node);
        staying.remove(set.id());
        if (set.fields().flag("stays")) {
          staying.add(set.id());
        }
        result = new ResourceResult.Accepted(++version);
      }
      return CompletableFuture.completedFuture(new ResourceAnswer.Changed(result));
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(List.<ResourceOffer>of(masters));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-e", "127.0.0.1:" + server.port()));
    return LockstepCommand.line()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.toArray(String[]::new));
  }

  @Test
  void eachDomainGoesToItsFirstMasterThatCan() {
    masters.at.put("east", "n3");
    masters.at.put("west", "n1");
    assertThat(run("rebalance")).as(err.toString()).isZero();
    assertThat(out.toString().lines())
        .containsExactly("domain east: n1 (was n3)", "domain west: n1");
    assertThat(masters.asked).as("what is right stays untouched").containsExactly("east n1 false");
  }

  @Test
  void nodeThatIsRefusedIsPassedOverAndAMoveThatStaysEnds() {
    masters.at.put("east", "n3");
    masters.at.put("west", "n2");
    masters.staying.add("west");
    masters.refused.add("n1");
    assertThat(run("rebalance")).as(err.toString()).isZero();
    assertThat(masters.asked)
        .containsExactly("east n1 false", "east n2 false", "west n1 false", "west n2 false");
    assertThat(masters.staying).isEmpty();
  }

  @Test
  void whatChangedMeanwhileIsReadAgainUntilItIsHopeless() {
    masters.at.put("east", "n3");
    masters.outdated = 2;
    assertThat(run("rebalance")).as(err.toString()).isZero();
    assertThat(masters.at).containsEntry("east", "n1");
    masters.at.put("east", "n3");
    masters.outdated = 1_000;
    assertThat(run("rebalance")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).isNotBlank();
  }

  @Test
  void moveSaysWhyNotAndWhenItIsDone() {
    masters.at.put("east", "n3");
    assertThat(run("masters", "move", "east", "n2")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("n2 masters domain east");
    assertThat(masters.staying).containsExactly("east");
    masters.refused.add("n1");
    assertThat(run("masters", "move", "east", "n1")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("n1 is drained", "remedy: undrain it");
    assertThat(run("masters", "move", "none", "n1")).isEqualTo(ExitCode.FAILED);
    assertThat(run("masters", "move", "a/b", "n1")).isEqualTo(ExitCode.USAGE);
    masters.outdated = 1;
    assertThat(run("masters", "move", "east", "n3")).isEqualTo(ExitCode.OUTDATED);
    assertThat(run("masters")).isZero();
    assertThat(out.toString()).contains("ID", "NODE", "STAYS", "MASTER", "n1,n2,n3");
  }

  @Test
  void genericCommandShowsAndSetsFieldsOfAnyResource() {
    masters.at.put("east", "n3");
    assertThat(run("resource")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("master", "set");
    assertThat(run("resource", "master", "set", "east", "node=n2")).as(err.toString()).isZero();
    assertThat(masters.asked).containsExactly("east n2 false");
    assertThat(run("resource", "master", "add", "east", "node=n2")).isEqualTo(ExitCode.FAILED);
    assertThat(run("resource", "master", "set", "east", "node=N2")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("node: 'N2' is not allowed");
    assertThat(run("resource", "mater", "list")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("did you mean 'master'?");
    for (List<String> wrong :
        List.of(
            List.of("show"),
            List.of("list", "east"),
            List.of("set", "east"),
            List.of("set", "east", "node"),
            List.of("show", "east", "node=n1"),
            List.of("show", "east", "--version", "3"))) {
      List<String> line = new ArrayList<>(List.of("resource", "master"));
      line.addAll(wrong);
      assertThat(run(line.toArray(String[]::new))).as("%s", wrong).isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void valuesOfTheCommandLineGetTheTypesOfTheirFields() {
    assertThat(ResourceVerb.value("whole", "17")).contains(17L);
    assertThat(ResourceVerb.value("whole", "x")).contains("x");
    assertThat(ResourceVerb.value("flag", "true")).contains(true);
    assertThat(ResourceVerb.value("texts", "a,b")).contains(List.of("a", "b"));
    assertThat(ResourceVerb.value("texts", "")).contains(List.of());
    assertThat(ResourceVerb.value("text", "")).isEmpty();
    assertThat(ResourceVerb.value("text", "a=b")).contains("a=b");
  }
}
