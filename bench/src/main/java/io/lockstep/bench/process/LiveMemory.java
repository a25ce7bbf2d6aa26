package io.lockstep.bench.process;

import io.lockstep.bench.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Java process holds, asked with the JDK's own {@code jcmd}. */
public final class LiveMemory {
  private static final Pattern USED = Pattern.compile("\\btotal .*\\bused (\\d+)K");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final int PATIENCE_SECONDS = 120;

  private LiveMemory() {}

  /** Bytes of live objects: what a serial collector's heap holds after a full collection. */
  public static long liveBytes(ProcessHandle process) throws BenchException, InterruptedException {
    jcmd(process, "GC.run");
    long kilobytes = usedKilobytes(jcmd(process, "GC.heap_info"));
    if (kilobytes < 0) {
      throw new BenchException("jcmd does not tell the heap of process " + process.pid());
    }
    return kilobytes << 10;
  }

  /** What the generations hold together, or the heap of a collector without; -1 where not told. */
  static long usedKilobytes(String heapInfo) {
    Matcher used = USED.matcher(heapInfo);
    long kilobytes = -1;
    while (used.find()) {
      kilobytes = Math.max(0, kilobytes) + Long.parseLong(used.group(1));
    }
    return kilobytes;
  }

  /** Bytes of memory that the process takes from the machine; 0 where the system does not tell. */
  public static long residentBytes(ProcessHandle process) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    Matcher resident = RESIDENT.matcher(Files.readString(status));
    return resident.find() ? Long.parseLong(resident.group(1)) << 10 : 0;
  }

  private static String jcmd(ProcessHandle process, String command)
      throws BenchException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home", ""), "bin", "jcmd").toString();
    try {
      Process asked =
          new ProcessBuilder(List.of(tool, Long.toString(process.pid()), command))
              .redirectErrorStream(true)
              .start();
      String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || asked.exitValue() != 0) {
        throw new BenchException("jcmd " + command + " failed: " + text.strip());
      }
      return text;
    } catch (IOException e) {
      throw new BenchException("cannot run " + tool + ": a JDK is needed, not a JRE", e);
    }
  }
}
