package io.lockstep.openflow.codec;

import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A read-only frame for openflowj's readers that bounds their work: a reader that goes round on one
 * element without moving on (a TLV of length 0) runs out of its allowance and fails. Holds a copy
 * of one frame at a time and is reused for the next, which is safe because openflowj copies what it
 * keeps. Owned by its decoder's event loop.
 */
final class MeteredFrame extends AbstractByteBuf {
  /**
   * Reads allowed for each byte of the frame. Each level of openflowj's type dispatch reads a
   * structure's head once more; there are at most six levels.
   */
  private static final int READS_PER_BYTE = 8;

  private static final int KEPT_BYTES = 4096;

  private byte[] bytes = new byte[512];

  /** Of {@code bytes}. */
  private ByteBuffer view = ByteBuffer.wrap(bytes);

  private int length;
  private int readsLeft;

  MeteredFrame() {
    super(Integer.MAX_VALUE);
  }

  /** Takes a copy of a frame and resets the allowance. */
  void load(ByteBuf frame) {
    length = frame.writerIndex();
    if (bytes.length < length || (bytes.length > KEPT_BYTES && length <= KEPT_BYTES)) {
      bytes = new byte[Math.max(length, 512)];
      view = ByteBuffer.wrap(bytes);
    }
    frame.getBytes(0, bytes, 0, length);
    readsLeft = READS_PER_BYTE * length;
    setIndex(0, length);
    if (length > 0 && bytes[0] == NwTos.VERSION_10) {
      NwTos.forEach(frame, 0, length, at -> bytes[at] = (byte) NwTos.fromWire(bytes[at]));
    }
  }

  private void charge() {
    if (--readsLeft < 0) {
      throw new IllegalStateException("decoding makes no progress");
    }
  }

  @Override
  protected byte _getByte(int index) {
    charge();
    return bytes[index];
  }

  @Override
  protected short _getShort(int index) {
    charge();
    return view.getShort(index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    charge();
    return ((view.getShort(index) & 0xffff) << 8) | (bytes[index + 2] & 0xff);
  }

  @Override
  protected int _getInt(int index) {
    charge();
    return view.getInt(index);
  }

  @Override
  protected long _getLong(int index) {
    charge();
    return view.getLong(index);
  }

  @Override
  protected short _getShortLE(int index) {
    return Short.reverseBytes(_getShort(index));
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return Integer.reverseBytes(_getUnsignedMedium(index)) >>> 8;
  }

  @Override
  protected int _getIntLE(int index) {
    return Integer.reverseBytes(_getInt(index));
  }

  @Override
  protected long _getLongLE(int index) {
    return Long.reverseBytes(_getLong(index));
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf target, int targetIndex, int count) {
    charge();
    checkIndex(index, count);
    target.setBytes(targetIndex, bytes, index, count);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] target, int targetIndex, int count) {
    charge();
    checkIndex(index, count);
    System.arraycopy(bytes, index, target, targetIndex, count);
    return this;
  }

  @Override
  public ByteBuf copy(int index, int count) {
    charge();
    checkIndex(index, count);
    return alloc().buffer(count).writeBytes(bytes, index, count);
  }

  @Override
  public int capacity() {
    return length;
  }

  @Override
  public ByteBufAllocator alloc() {
    return UnpooledByteBufAllocator.DEFAULT;
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester")
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public boolean hasMemoryAddress() {
    return false;
  }

  @Override
  public int nioBufferCount() {
    return -1;
  }

  @Override
  public int refCnt() {
    return 1;
  }

  @Override
  public ByteBuf retain() {
    return this;
  }

  @Override
  public ByteBuf retain(int increment) {
    return this;
  }

  @Override
  public ByteBuf touch() {
    return this;
  }

  @Override
  public ByteBuf touch(Object hint) {
    return this;
  }

  @Override
  public boolean release() {
    return false;
  }

  @Override
  public boolean release(int decrement) {
    return false;
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a read-only frame without array");
  }

  @Override
  protected void _setByte(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setShort(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setShortLE(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setMedium(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setInt(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setIntLE(int index, int value) {
    throw readOnly();
  }

  @Override
  protected void _setLong(int index, long value) {
    throw readOnly();
  }

  @Override
  protected void _setLongLE(int index, long value) {
    throw readOnly();
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    throw readOnly();
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer target) {
    throw readOnly();
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int count) {
    throw readOnly();
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int count) {
    throw readOnly();
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuf setBytes(int index, byte[] source, int sourceIndex, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer source) {
    throw readOnly();
  }

  @Override
  public int setBytes(int index, InputStream in, int count) {
    throw readOnly();
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int count) {
    throw readOnly();
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuffer nioBuffer(int index, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int count) {
    throw readOnly();
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int count) {
    throw readOnly();
  }

  @Override
  public byte[] array() {
    throw readOnly();
  }

  @Override
  public int arrayOffset() {
    throw readOnly();
  }

  @Override
  public long memoryAddress() {
    throw readOnly();
  }
}
