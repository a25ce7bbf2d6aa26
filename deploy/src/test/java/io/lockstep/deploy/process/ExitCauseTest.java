package io.lockstep.deploy.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.disk.RefusedException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitCauseTest {
  /** How a Java virtual machine ends that cannot start. */
  private static final int VIRTUAL_MACHINE_FAILED = 1;

  private static Throwable wrapped(Throwable root) {
    return new IllegalStateException("replica 0 did not start", root);
  }

  @Test
  void whatMayPassIsTriedAgain() {
    assertThat(
            List.of(
                new IOException("/data/log: No space left on device"),
                new IOException("Disk quota exceeded"),
                new FileNotFoundException("/lib/a.jar (Too many open files)"),
                new BindException("Address already in use"),
                new BindException("Cannot assign requested address"),
                new OutOfMemoryError("Java heap space"),
                new OutOfMemoryError("unable to create native thread"),
                new IllegalArgumentException("nobody has thought of this")))
        .allSatisfy(
            failure -> {
              ExitCause cause = ExitCause.of(wrapped(failure));
              assertThat(cause.code()).isEqualTo(ExitCode.TRY_AGAIN);
              assertThat(cause.lastLine())
                  .contains(failure.getMessage(), "remedy: ", "(exit code 11: try again)")
                  .doesNotContain("\n");
            });
  }

  @Test
  void whatDoesNotPassNeedsAPerson() {
    assertThat(
            List.of(
                new AccessDeniedException("/data"),
                new BindException("Permission denied"),
                new IOException("/data: Read-only file system")))
        .allSatisfy(
            failure -> {
              ExitCause cause = ExitCause.of(wrapped(failure));
              assertThat(cause.code()).isEqualTo(ExitCode.NEEDS_PERSON);
              assertThat(cause.lastLine()).contains(failure.getMessage(), "needs a person");
            });
  }

  @ParameterizedTest
  @EnumSource
  void refusedDirectoryIsTriedAgainOnlyWhereThatMayHelp(Reason reason) {
    boolean passes = Set.of(Reason.LOCKED, Reason.NO_SPACE, Reason.UNREADABLE).contains(reason);
    assertThat(ExitCause.code(reason))
        .isEqualTo(passes ? ExitCode.TRY_AGAIN : ExitCode.NEEDS_PERSON);
  }

  /** Else a supervisor could not tell them apart, and one of the two needs a person. */
  @Test
  void noNodeEndsLikeAVirtualMachineThatCannotStart() {
    for (Reason reason : Reason.values()) {
      assertThat(ExitCause.code(reason)).isNotEqualTo(VIRTUAL_MACHINE_FAILED);
    }
    assertThat(ExitCause.refused("an old copy").code()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(new OperatorException("a: wrong").exitCode()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(List.of(ExitCode.USAGE, ExitCode.HALTED, ExitCode.TRY_AGAIN, ExitCode.NEEDS_PERSON))
        .doesNotContain(VIRTUAL_MACHINE_FAILED)
        .doesNotHaveDuplicates();
  }

  @Test
  void threadsOfTheSystemAndTheHeapHaveDifferentRemedies() {
    assertThat(ExitCause.of(new OutOfMemoryError("unable to create native thread")).remedy())
        .contains("TasksMax");
    assertThat(ExitCause.of(new OutOfMemoryError("Java heap space")).remedy()).contains("-Xmx");
    assertThat(ExitCause.halted("a failure: java.lang.OutOfMemoryError: Java heap space").remedy())
        .contains("-Xmx");
  }

  @Test
  void severalProblemsAreToldWholeAndTheFirstOneLast() {
    String both = "a: wrong\n    remedy: mend a\nb: wrong\n    remedy: mend b";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExitCause.report(
        new OperatorException(both), new PrintStream(out, true, StandardCharsets.UTF_8));
    String told = out.toString(StandardCharsets.UTF_8);
    assertThat(told).startsWith("lockstep: " + both);
    assertThat(told.lines().reduce("", (before, line) -> line))
        .isEqualTo(
            "lockstep: a: wrong, and more, see above; remedy: mend a"
                + " (exit code 12: it needs a person)");
  }

  @Test
  void whatNobodyExpectedKeepsItsTraceAboveTheLastLine() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Throwable failure = OperatorException.of("the node does not start", wrapped(new Error("boo")));
    ExitCause.report(failure, new PrintStream(out, true, StandardCharsets.UTF_8));
    String told = out.toString(StandardCharsets.UTF_8);
    assertThat(told).contains("\tat " + ExitCauseTest.class.getName());
    assertThat(told.lines().reduce("", (before, line) -> line))
        .contains("the node does not start", "boo", "(exit code 11: try again)");
  }

  @Test
  void threadThatFailsIsNamed() {
    ExitCause cause = ExitCause.ofThread("worker-1", new IOException("Too many open files"));
    assertThat(cause.lastLine())
        .isEqualTo(
            "lockstep: thread 'worker-1' failed: Too many open files; remedy: allow it 65536 open"
                + " files (ulimit -n, LimitNOFILE of its unit) and start it again"
                + " (exit code 11: try again)");
  }

  /** The shipped unit does with each code what the code means, and never gives up. */
  @Test
  void shippedUnitFollowsTheCodes() throws IOException {
    List<String> unit =
        Files.readAllLines(Path.of("..", "examples", "systemd", "lockstep.service"));
    assertThat(values(unit, "RestartPreventExitStatus="))
        .containsExactlyInAnyOrder("" + ExitCode.NEEDS_PERSON, "" + ExitCode.USAGE);
    assertThat(values(unit, "RestartForceExitStatus="))
        .containsExactlyInAnyOrder(
            "" + VIRTUAL_MACHINE_FAILED, "" + ExitCode.HALTED, "" + ExitCode.TRY_AGAIN);
    assertThat(values(unit, "Restart=")).containsExactly("on-failure");
    assertThat(values(unit, "StartLimitIntervalSec=")).containsExactly("0");
  }

  private static List<String> values(List<String> unit, String key) {
    return unit.stream()
        .filter(line -> line.startsWith(key))
        .flatMap(line -> Arrays.stream(line.substring(key.length()).split(" ")))
        .toList();
  }
}
