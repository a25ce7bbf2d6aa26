package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code pki} from the first authority to a revoked node, as an operator types it. */
class PkiCommandTest {
  @TempDir private Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int pki(String command, String... arguments) {
    List<String> line = new ArrayList<>(List.of("pki", command));
    line.addAll(List.of("--directory", temp.resolve("pki").toString()));
    line.addAll(List.of(arguments));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine commands = LockstepCommand.line();
    return commands
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(line.toArray(String[]::new));
  }

  private void done(String command, String... arguments) {
    assertThat(pki(command, arguments)).as(err.toString()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void anAuthorityIssuesRenewsRevokesAndShows() throws Exception {
    done("init", "--cluster", "lab");
    done("issue", "--role", "node", "n1", "--host", "10.0.0.1", "--host", "n1.lab");
    assertThat(out.toString()).contains("node-n1: node n1 of cluster lab until ");
    done("issue", "--role", "switch", "s1", "--dpid", "1f", "--dpid", "of:0000000000000020");
    done("issue", "--role", "admin", "alice", "--days", "7");
    LinkKeys n1 = LinkKeys.open(KeyFiles.of(temp.resolve("pki/node-n1")), InstantSource.system());
    assertThat(n1.own().role()).isEqualTo(PeerRole.NODE);
    done("renew", "n1");
    done("revoke", n1.own().serialText());
    assertThat(out.toString()).contains("revoked: node n1").contains("copy this file");
    done("show");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
        .anyMatch(line -> line.startsWith("admin alice valid"))
        .anyMatch(line -> line.startsWith("node n1 revoked"))
        .anyMatch(line -> line.startsWith("node n1 valid"))
        .anyMatch(line -> line.endsWith("000000000000001f 0000000000000020"));
    done("show", "-o", "json");
    JsonNode shown = new JsonMapper().readTree(out.toString());
    assertThat(shown.path("cluster").asText()).isEqualTo("lab");
    assertThat(shown.path("issued")).hasSize(4);
    assertThat(shown.path("issued").get(0).path("role").asText()).isEqualTo("node");
  }

  @Test
  void whatCannotBeDoneIsSaidWithItsRemedyAndChangesNothing() throws Exception {
    assertThat(pki("issue", "--role", "node", "n1")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains("holds no authority")
        .contains("remedy: name its directory");
    assertThat(pki("init", "--cluster", "two words")).isEqualTo(ExitCode.FAILED);
    assertThat(Files.exists(temp.resolve("pki"))).isFalse();
    done("init", "--cluster", "lab");
    assertThat(pki("init", "--cluster", "lab")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("is there already");
    assertThat(pki("issue", "--role", "king", "n1")).isEqualTo(ExitCode.USAGE);
    assertThat(pki("issue", "--role", "switch", "s1", "--dpid", "xyz")).isEqualTo(ExitCode.USAGE);
    assertThat(pki("issue", "--role", "switch", "s1")).isEqualTo(ExitCode.FAILED);
    assertThat(pki("renew", "n9")).isEqualTo(ExitCode.FAILED);
    assertThat(pki("revoke", "n9")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("no certificate is called n9");
    done("show");
    assertThat(out.toString().lines()).hasSize(2);
  }
}
