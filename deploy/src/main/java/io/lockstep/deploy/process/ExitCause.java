package io.lockstep.deploy.process;

import io.lockstep.store.engine.UnknownRulesException;
import io.lockstep.store.log.disk.DamageException;
import io.lockstep.store.log.disk.RefusedException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a node or a replica ended, whether a supervisor should start it again, and what to do. The
 * last line on standard error says all three.
 *
 * @param code one of {@link ExitCode}
 * @param cause one sentence
 * @param remedy what to do; empty where the cause says it
 */
public record ExitCause(int code, String cause, String remedy) {
  private static final String REMEDY = "\n    remedy: ";
  private static final String SEVERAL = ", and more, see above";
  private static final String MORE_MEMORY =
      "give the process more memory, such as LOCKSTEP_JVM_FLAGS=-Xmx512m, and start it again";
  private static final String MORE_FILES =
      "allow it 65536 open files (ulimit -n, LimitNOFILE of its unit) and start it again";

  /** What an operating system says, in lower case, of what may pass, and what to do about it. */
  private static final Map<String, String> PASSING =
      Map.of(
          "no space left on device", "free some space on the disk and start it again",
          "disk quota exceeded", "raise the quota or free some space, and start it again",
          "too many open files", MORE_FILES,
          "address already in use", "stop the process that has the port (ss -ltnp), or change it",
          "cannot assign requested address", "give an address of this machine, or wait for it");

  /** The same of what does not pass. */
  private static final Map<String, String> LASTING =
      Map.of(
          "permission denied", "give this user the right to use it, or name another",
          "read-only file system", "mount it for writing; the kernel's log may say more",
          "not a directory", "name a directory");

  /** What failed, as an exception. */
  public static ExitCause of(Throwable failure) {
    List<Throwable> chain = chain(failure);
    for (Throwable one : chain) {
      ExitCause known = known(one, chain);
      if (known != null) {
        return known;
      }
    }
    return new ExitCause(
        ExitCode.TRY_AGAIN,
        "unexpected: " + told(chain),
        "start it again; if this comes again, report it with the trace above");
  }

  private static @Nullable ExitCause known(Throwable one, List<Throwable> chain) {
    if (one instanceof OperatorException operator) {
      return ofExplanation(operator.exitCode(), operator.explanation());
    } else if (one instanceof OutOfMemoryError) {
      boolean threads = String.valueOf(one.getMessage()).contains("native thread");
      return new ExitCause(
          ExitCode.TRY_AGAIN,
          "out of memory: " + told(chain),
          threads ? "allow it more threads (ulimit -u, TasksMax of its unit)" : MORE_MEMORY);
    } else if (one instanceof RefusedException refused) {
      return new ExitCause(code(refused.reason()), told(chain), "");
    } else if (one instanceof UnknownRulesException) {
      return new ExitCause(ExitCode.NEEDS_PERSON, told(chain), "");
    } else if (one instanceof DamageException) {
      return new ExitCause(ExitCode.NEEDS_PERSON, told(chain), "move the file's directory away");
    } else if (one instanceof AccessDeniedException) {
      return new ExitCause(
          ExitCode.NEEDS_PERSON, told(chain), "give this user the right to read and write it");
    }
    String says = String.valueOf(one.getMessage()).toLowerCase(Locale.ROOT);
    String remedy = remedy(PASSING, says);
    if (remedy != null) {
      return new ExitCause(ExitCode.TRY_AGAIN, told(chain), remedy);
    }
    remedy = remedy(LASTING, says);
    return remedy == null ? null : new ExitCause(ExitCode.NEEDS_PERSON, told(chain), remedy);
  }

  private static @Nullable String remedy(Map<String, String> known, String says) {
    return known.entrySet().stream()
        .filter(one -> says.contains(one.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /** Whether a directory that was refused may be all right without a person's help. */
  static int code(RefusedException.Reason reason) {
    return switch (reason) {
      case LOCKED, NO_SPACE, UNREADABLE -> ExitCode.TRY_AGAIN;
      case NOT_A_DIRECTORY, OTHER_CLUSTER, OTHER_REPLICA, NEWER_FORMAT, DAMAGED, NOT_EMPTY, EMPTY ->
          ExitCode.NEEDS_PERSON;
    };
  }

  /** What an operator is told, of one problem or of several. */
  static ExitCause ofExplanation(int code, String explanation) {
    int remedy = explanation.indexOf(REMEDY);
    if (remedy < 0) {
      return new ExitCause(code, explanation, "");
    }
    int end = explanation.indexOf('\n', remedy + REMEDY.length());
    String first = explanation.substring(0, remedy);
    if (end < 0) {
      return new ExitCause(code, first, explanation.substring(remedy + REMEDY.length()));
    }
    return new ExitCause(
        code, first + SEVERAL, explanation.substring(remedy + REMEDY.length(), end));
  }

  /** A replica that halted by itself. */
  public static ExitCause halted(String reason) {
    boolean memory = reason.contains("OutOfMemoryError");
    return new ExitCause(
        ExitCode.HALTED,
        "the replica halted: " + reason,
        memory ? MORE_MEMORY : "start it again, as a supervisor does");
  }

  /** A replica that its peers must not let take part; the reason names the remedy. */
  public static ExitCause refused(String reason) {
    return new ExitCause(ExitCode.NEEDS_PERSON, reason, "");
  }

  /** A thread that failed; what it was to do is not done any more. */
  public static ExitCause ofThread(String name, Throwable failure) {
    ExitCause why = of(failure);
    return new ExitCause(
        ExitCode.TRY_AGAIN, "thread '" + name + "' failed: " + why.cause, why.remedy);
  }

  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    Throwable next = failure;
    while (next != null && !chain.contains(next)) {
      chain.add(next);
      next = next.getCause();
    }
    return chain;
  }

  /** The messages from the outermost to the root, without what one says of the next. */
  private static String told(List<Throwable> chain) {
    StringBuilder told = new StringBuilder();
    for (Throwable one : chain) {
      String says = one.getMessage() == null ? one.getClass().getSimpleName() : one.getMessage();
      if (told.indexOf(says) < 0) {
        told.append(told.isEmpty() ? "" : ": ").append(says);
      }
    }
    return told.toString();
  }

  /** All of it in one line. */
  public String lastLine() {
    String line =
        "lockstep: "
            + cause
            + (remedy.isEmpty() ? "" : "; remedy: " + remedy)
            + " (exit code "
            + code
            + (code == ExitCode.NEEDS_PERSON ? ": it needs a person)" : ": try again)");
    return line.replaceAll("\\s*\\R\\s*", " ");
  }

  /** Writes what is known of a failure, the last line at the end. */
  public static ExitCause report(Throwable failure, PrintStream err) {
    ExitCause cause = of(failure);
    if (cause.cause.contains("unexpected: ")) {
      failure.printStackTrace(err);
    } else if (cause.cause.endsWith(SEVERAL) && failure instanceof OperatorException operator) {
      err.println("lockstep: " + operator.explanation());
    }
    err.println(cause.lastLine());
    err.flush();
    return cause;
  }
}
