package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The format of a backup: a header, and in checksummed blocks the length of the state (8), the
 * state, and for each decision a 1 (1), its length (4) and itself; at the end a 0 (1).
 */
final class BackupFile {
  private BackupFile() {}

  /**
   * The header.
   *
   * @param source the replica it was taken from
   * @param regency the highest regency that the replica had promised
   * @param at the last decision in the state; {@link Decision#NONE} if there is no state
   */
  record Header(Identity source, int regency, Decision at) {
    byte[] encode() {
      ByteBuffer body =
          ByteBuffer.allocate(FileHeader.identityBytes(source) + 4 + SnapshotHeader.bytesOf(at));
      FileHeader.putIdentity(body, source);
      body.putInt(regency);
      SnapshotHeader.put(body, at);
      return FileHeader.seal(FileHeader.BACKUP, body.array());
    }

    static Header decode(ByteBuffer in) {
      return new Header(FileHeader.getIdentity(in), in.getInt(), SnapshotHeader.get(in));
    }
  }

  /** Writes a backup. */
  static final class Writer {
    private final StoredFile file;
    private final BlockWriter blocks;

    Writer(StoredFile file, Header header) throws IOException {
      this.file = file;
      byte[] front = header.encode();
      file.write(0, front, 0, front.length);
      this.blocks = new BlockWriter(file, front.length);
    }

    void stateLength(long length) throws IOException {
      blocks.write(ByteBuffer.allocate(8).putLong(length).array(), 0, 8);
    }

    void state(byte[] bytes) throws IOException {
      blocks.write(bytes, 0, bytes.length);
    }

    void decision(Decision decision) throws IOException {
      int length = SnapshotHeader.bytesOf(decision);
      ByteBuffer out = ByteBuffer.allocate(5 + length).put((byte) 1).putInt(length);
      SnapshotHeader.put(out, decision);
      blocks.write(out.array(), 0, out.position());
    }

    /** Ends the file and makes it durable; returns its length. */
    long finish() throws IOException {
      blocks.write(new byte[1], 0, 1);
      long length = blocks.finish();
      file.sync();
      return length;
    }
  }

  /** Reads a backup, in order. */
  static final class Reader {
    private final String name;
    private final Header header;
    private final BlockReader blocks;
    private long position;

    Reader(StoredFile file, String name) throws IOException {
      this.name = name;
      FileHeader.Content content = FileHeader.read(file, name, name, 0, FileHeader.BACKUP);
      this.header = FileHeader.decode(content, name, Header::decode);
      this.blocks = new BlockReader(file, name, content.end(), file.length());
    }

    /** Checks the whole file; later reads can trust its content. */
    void verify() throws IOException {
      blocks.verify();
    }

    Header header() {
      return header;
    }

    private ByteBuffer take(int bytes) throws IOException {
      byte[] taken = blocks.read(Math.min(position, blocks.length()), bytes);
      if (taken.length < bytes) {
        throw new DamageException(name, position, "it ends too early");
      }
      position += bytes;
      return ByteBuffer.wrap(taken);
    }

    long stateLength() throws IOException {
      return take(8).getLong();
    }

    byte[] state(int bytes) throws IOException {
      return take(bytes).array();
    }

    @Nullable Decision decision() throws IOException {
      if (take(1).get() == 0) {
        return null;
      }
      int length = take(4).getInt();
      if (length < 0 || length > Records.MAX_VALUE_BYTES + 4096) {
        throw new DamageException(name, position, "a decision of " + length + " bytes");
      }
      return SnapshotHeader.get(take(length));
    }
  }
}
