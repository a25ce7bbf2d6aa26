package io.lockstep.deploy.node;

import io.lockstep.core.recording.Recording;
import io.lockstep.core.recording.RecordingStatus;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.trace.TraceHeader;
import io.lockstep.core.trace.TraceWriter;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.admin.RecordingDoor;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.store.core.CauseNames;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records a node's store traffic for the admin HTTP: one recording at a time, in files below the
 * node's data directory. Thread-safe.
 */
final class NodeRecorder implements RecordingDoor, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeRecorder.class);

  /** No path, and no hidden file. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

  private static final int USUAL_MEGABYTES = 64;
  private static final int MAX_MEGABYTES = 4096;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final NodeSettings settings;
  private final StoreTraffic traffic;
  private final Path directory;
  private final LongSupplier wallMillis;
  private final CauseNames causes;

  // Guarded by this.
  private @Nullable Recording recording;
  private @Nullable Path file;
  private int megabytes;

  /** The body of an answer that is not what was asked for. */
  record Refused(String error, String remedy) {}

  NodeRecorder(
      NodeSettings settings, StoreTraffic traffic, CauseNames causes, LongSupplier wallMillis) {
    this.settings = settings;
    this.causes = causes;
    this.traffic = traffic;
    this.directory = directory(settings);
    this.wallMillis = wallMillis;
  }

  /** In the data directory, or where it would be if the state were not in memory. */
  private static Path directory(NodeSettings settings) {
    Path data = settings.store().directory();
    Path usual = Path.of(settings.file()).resolveSibling("data").resolve(settings.nodeId());
    return (data == null ? usual : data).resolve("traces");
  }

  @Override
  public synchronized Answer show() {
    return new Answer(200, shown());
  }

  private Shown shown() {
    Recording last = recording;
    if (last == null) {
      return new Shown(settings.nodeId(), "off", "", "", 0, 0, 0, 0, 0);
    }
    RecordingStatus status = last.status();
    return new Shown(
        settings.nodeId(),
        status.state().name().toLowerCase(Locale.ROOT),
        status.detail(),
        String.valueOf(file),
        megabytes,
        status.events(),
        status.operations(),
        status.lost(),
        status.bytes());
  }

  @Override
  public synchronized Answer start(@Nullable String name, @Nullable String limit) {
    if (name != null && !NAME.matcher(name).matches()) {
      return refused(
          400,
          "file: '" + name + "' is no name of a trace",
          "give up to 100 of a-z, 0-9, '.', '_' and '-', a letter or digit first, without a path");
    }
    int most = limit == null ? USUAL_MEGABYTES : megabytes(limit);
    if (most == 0) {
      return refused(
          400,
          "megabytes: '" + limit + "' is not allowed",
          "give a whole number from 1 to " + MAX_MEGABYTES);
    }
    if (traffic.isRecorded()) {
      return refused(409, "a recording is on, into " + file, "end it with ./lockstep record stop");
    }
    long now = wallMillis.getAsLong();
    String usual = settings.nodeId().toLowerCase(Locale.ROOT) + "-";
    Path chosen =
        directory.resolve(
            name != null ? name : usual + TIME.format(Instant.ofEpochMilli(now)) + ".trace");
    try {
      Files.createDirectories(directory);
      long free = Files.getFileStore(directory).getUsableSpace();
      if (free - ((long) most << 20) < Recording.MIN_FREE_BYTES) {
        return refused(
            507,
            "the disk of "
                + directory
                + " has "
                + (free >> 20)
                + " MB free, too little for "
                + most
                + " MB and "
                + (Recording.MIN_FREE_BYTES >> 20)
                + " MB that stay free",
            "make room, or give a lower --megabytes");
      }
      begin(chosen, most, now);
    } catch (FileAlreadyExistsException e) {
      return refused(409, chosen + " is there already", "give another name, or remove the file");
    } catch (IOException e) {
      log.warn("no recording: {} cannot be made", chosen, e);
      return refused(500, chosen + " cannot be made: " + e, "see to the directory of the node");
    }
    log.info("recording the store traffic into {}, at most {} MB", chosen, most);
    return new Answer(201, shown());
  }

  private void begin(Path chosen, int most, long nowMillis) throws IOException {
    TraceHeader header =
        new TraceHeader(
            settings.nodeId(),
            settings.cluster(),
            ProductVersion.text(),
            nowMillis,
            Components.tables(settings));
    TraceWriter writer = TraceWriter.create(chosen, header, (long) most << 20);
    Recording next =
        new Recording(
            writer,
            causes,
            System::nanoTime,
            () -> Files.getFileStore(directory).getUsableSpace(),
            traffic::detach);
    recording = next;
    file = chosen;
    megabytes = most;
    traffic.attach(next);
    next.start();
  }

  /** 0 where it is not allowed. */
  private static int megabytes(String limit) {
    if (!limit.matches("[0-9]{1,4}")) {
      return 0;
    }
    int most = Integer.parseInt(limit);
    return most <= MAX_MEGABYTES ? most : 0;
  }

  @Override
  public synchronized Answer stop() {
    Recording present = recording;
    if (present == null || !traffic.isRecorded()) {
      return refused(409, "no recording is on", "see ./lockstep record status");
    }
    try {
      RecordingStatus status = present.stop();
      log.info("the recording into {} ended: {}", file, status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Answer(200, shown());
  }

  /** Ends a recording with the node. */
  @Override
  public synchronized void close() throws InterruptedException {
    Recording present = recording;
    if (present != null) {
      present.stop();
    }
  }

  private static Answer refused(int status, String error, String remedy) {
    return new Answer(status, new Refused(error, remedy));
  }
}
