package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.Storage.StoredFile;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Writes and reads the header with which every file begins: the kind of file (8 bytes), its format
 * version (4), the length of the body (4), the body, and the CRC32C of it all (4). Numbers are
 * big-endian.
 *
 * <p>How to add a version 2 of a kind of file: {@link Formats} says from which version of the
 * cluster on it is written. Where the body differs, its decoder chooses by {@link Content#version}
 * and still reads version 1. Records and blocks have the version of their file's header. Files of
 * both versions may then lie in one directory: old segments stay as they are until snapshots make
 * them superfluous. An older program refuses the newer files by their version, before it reads any
 * part that may have changed. See also docs/adr/0005.
 */
final class FileHeader {
  /** The first version, which every release reads. */
  static final int VERSION = 1;

  static final long SEGMENT = magic("LSTEPLOG");
  static final long SNAPSHOT = magic("LSTEPSNP");
  static final long PROMISE = magic("LSTEPPRM");
  static final long STARTS = magic("LSTEPSTA");
  static final long BACKUP = magic("LSTEPBAK");
  static final long VERSIONS = magic("LSTEPVER");

  private static final int FRONT_BYTES = 16;
  private static final int MAX_BODY_BYTES = Records.MAX_VALUE_BYTES + 4096;

  private FileHeader() {}

  /**
   * The content of a header.
   *
   * @param version 1 to {@link Formats#newest}
   * @param end offset after the header
   */
  record Content(int version, ByteBuffer body, long end) {}

  private static long magic(String name) {
    return ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII)).getLong();
  }

  static byte[] seal(long magic, byte[] body) {
    return seal(magic, VERSION, body);
  }

  static byte[] seal(long magic, int version, byte[] body) {
    ByteBuffer out = ByteBuffer.allocate(FRONT_BYTES + body.length + Integer.BYTES);
    out.putLong(magic).putInt(version).putInt(body.length).put(body);
    CRC32C crc = new CRC32C();
    crc.update(out.array(), 0, out.position());
    return out.putInt((int) crc.getValue()).array();
  }

  /**
   * Reads a header that {@link #seal} made.
   *
   * @param name of the file, for damage
   * @param path of the file, for a refusal
   * @throws DamageException if there is no valid header
   * @throws RefusedException if the version is newer
   */
  static Content read(StoredFile file, String name, String path, long at, long magic)
      throws IOException {
    byte[] front = new byte[FRONT_BYTES];
    if (file.read(at, front, 0, FRONT_BYTES) < FRONT_BYTES) {
      throw new DamageException(name, at, "too short for a header");
    }
    ByteBuffer in = ByteBuffer.wrap(front);
    if (in.getLong() != magic) {
      throw new DamageException(name, at, "not a file of this kind");
    }
    int version = in.getInt();
    int newest = Formats.newest(magic);
    if (version > newest) {
      throw new RefusedException(
          RefusedException.Reason.NEWER_FORMAT,
          path
              + " has format version "
              + version
              + "; this version of Lockstep reads up to "
              + newest
              + ": use the version that wrote it, or a newer one");
    }
    int length = in.getInt();
    if (version < 1
        || length < 0
        || length > MAX_BODY_BYTES
        || length > file.length() - at - FRONT_BYTES - Integer.BYTES) {
      throw new DamageException(name, at, "header of version " + version + ", length " + length);
    }
    byte[] body = new byte[length + Integer.BYTES];
    if (file.read(at + FRONT_BYTES, body, 0, body.length) < body.length) {
      throw new DamageException(name, at, "too short for its header");
    }
    CRC32C crc = new CRC32C();
    crc.update(front);
    crc.update(body, 0, length);
    if (ByteBuffer.wrap(body).getInt(length) != (int) crc.getValue()) {
      throw new DamageException(name, at, "the checksum of the header is wrong");
    }
    return new Content(
        version, ByteBuffer.wrap(body, 0, length), at + FRONT_BYTES + (long) body.length);
  }

  /** Decodes a body; a body that ends early is damage. */
  interface Decoder<T> {
    T decode(ByteBuffer body);
  }

  static <T> T decode(Content content, String name, Decoder<T> decoder) throws DamageException {
    try {
      return decoder.decode(content.body());
    } catch (BufferUnderflowException | IllegalArgumentException malformed) {
      throw new DamageException(name, 0, "the header is malformed: " + malformed.getMessage());
    }
  }

  static int identityBytes(Identity identity) {
    return Integer.BYTES
        + identity.clusterId().getBytes(StandardCharsets.UTF_8).length
        + Integer.BYTES;
  }

  static void putIdentity(ByteBuffer out, Identity identity) {
    byte[] name = identity.clusterId().getBytes(StandardCharsets.UTF_8);
    out.putInt(name.length).put(name).putInt(identity.replicaId());
  }

  static Identity getIdentity(ByteBuffer in) {
    byte[] name = getBytes(in, in.getInt());
    return new Identity(new String(name, StandardCharsets.UTF_8), in.getInt());
  }

  static byte[] getBytes(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
