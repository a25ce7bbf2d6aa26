package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.OperatorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is refused before anything runs. */
class EmulateCommandTest {
  private static final String SOMEWHERE = "--controllers=127.0.0.1:1";

  @TempDir private Path directory;

  /** The message of what the command refuses. */
  private static String refused(String... arguments) {
    List<String> messages = new ArrayList<>();
    CommandLine line = new CommandLine(new EmulateCommand());
    line.setParameterExceptionHandler(
        (error, all) -> {
          messages.add("usage: " + error.getMessage());
          return 2;
        });
    line.setExecutionExceptionHandler(
        (failure, command, result) -> {
          messages.add(
              failure instanceof OperatorException operator
                  ? operator.explanation()
                  : failure.toString());
          return 1;
        });
    assertThat(line.execute(arguments)).isNotZero();
    return String.join("\n", messages);
  }

  @Test
  void aNetworkIsNamedInOneWay() {
    assertThat(refused(SOMEWHERE)).contains("--topology", "--generate");
    assertThat(refused(SOMEWHERE, "--generate=random:9", "--topology=x.yaml"))
        .startsWith("usage: ")
        .contains("mutually exclusive");
  }

  @Test
  void aWrongShapeIsNamedWithWhatIsAllowed() {
    assertThat(refused(SOMEWHERE, "--generate=ring:9"))
        .startsWith("usage: --generate: ")
        .contains("no shape 'ring'", "fat-tree, ring-of-rings, random");
    assertThat(refused(SOMEWHERE, "--generate=random:1001"))
        .contains("the number of switches is '1001'", "6 to 1000 switches");
    assertThat(refused(SOMEWHERE, "--generate=random:9:hosts=-1"))
        .contains("hosts is '-1'", "0 to 100 hosts");
  }

  @Test
  void aFileIsNamedWithThePlaceOfWhatIsWrongAndTheRemedy() throws Exception {
    Path missing = directory.resolve("missing.yaml");
    assertThat(refused(SOMEWHERE, "--topology=" + missing))
        .contains(missing.toString(), "no such file", "remedy");
    Path wrong = directory.resolve("wrong.yaml");
    Files.writeString(
        wrong,
        """
        switches:
          - {name: a, dpid: 1}
          - {name: b, dpid: 1}
        links: [{from: a, to: c}]
        """);
    assertThat(refused(SOMEWHERE, "--topology=" + wrong))
        .contains(wrong + ":3", "dpid 1 is used twice", wrong + ":4", "no switch c");
    assertThat(refused("--print-domains", "--topology=" + wrong)).contains("dpid 1 is used twice");
  }

  @Test
  void numbersHaveBounds() {
    String[] wrong = {"--pings=1001", "--pings=-1", "--seconds=-5", "--deadline=1000001"};
    for (String option : wrong) {
      assertThat(refused(SOMEWHERE, "--generate=random:9", option))
          .startsWith("usage: " + option.replace('=', ' ') + ": give 0 to 1000");
    }
    assertThat(refused(SOMEWHERE, "--generate=random:9:hosts=0", "--pings=1"))
        .contains("fewer than two hosts");
  }

  @Test
  void controllersAndTheVersionAreChecked() {
    assertThat(refused("--generate=random:9"))
        .isEqualTo("usage: give --controllers HOST:PORT[,HOST:PORT...], or --print-domains");
    assertThat(refused("--generate=random:9", "--controllers=127.0.0.1:6653,x"))
        .startsWith("usage: --controllers: 'x' is not HOST:PORT");
    assertThat(refused(SOMEWHERE, "--generate=random:9", "--openflow=1.4"))
        .isEqualTo("usage: --openflow 1.4: give 1.0 or 1.3");
  }
}
