"""One picture that can be fitted, zoomed and panned with mouse, keys and touch.

A picture is kept in halved copies as well, so that a large one looks smooth when small and scrolls without a pause.
100 % is one picture pixel for one screen pixel, on any screen.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGestureEvent,
    QGraphicsItem,
    QGraphicsScene,
    QGraphicsView,
    QPinchGesture,
    QStyleOptionGraphicsItem,
    QWidget,
)

ZOOM_STEP = 1.25
LARGEST = 16.0
LARGEST_FIT = 4.0
PIXELS_SHOW_FROM = 3.0  # above this zoom each pixel is a square
PAN_STEP = 48


class _PictureItem(QGraphicsItem):
    def __init__(self, image: QImage) -> None:
        super().__init__()
        self._levels = [image]

    def size(self) -> tuple[int, int]:
        return self._levels[0].width(), self._levels[0].height()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, *self.size())

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        shown = painter.deviceTransform().m11()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, shown < PIXELS_SHOW_FROM)
        painter.drawImage(self.boundingRect(), self._level(shown))

    def _level(self, shown: float) -> QImage:
        level = 0
        while shown < 0.5 and min(self._levels[level].width(), self._levels[level].height()) > 2:
            shown *= 2
            level += 1
            if level == len(self._levels):
                last = self._levels[-1]
                smooth = Qt.TransformationMode.SmoothTransformation
                half = last.scaled(
                    (last.width() + 1) // 2, (last.height() + 1) // 2, Qt.AspectRatioMode.IgnoreAspectRatio, smooth
                )
                self._levels.append(half)
        return self._levels[level]


class PictureCanvas(QGraphicsView):
    """Keys: + and - zoom, 0 fits, 1 is 100 %, arrows pan. Ctrl+wheel and pinch zoom at the pointer; a double click
    goes between fitted and 100 %."""

    zoom_changed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Without a picture."""
        super().__init__(parent)
        self.setScene(QGraphicsScene(self))
        self._item: _PictureItem | None = None
        self._fitted = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptDrops(False)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)

    def set_image(self, image: QImage | None) -> None:
        """Show an image, fitted; None shows nothing."""
        self.scene().clear()
        self._item = None
        if image is not None and not image.isNull():
            self._item = _PictureItem(image)
            self.scene().addItem(self._item)
            self.scene().setSceneRect(self._item.boundingRect())
        self.fit()

    @property
    def fitted(self) -> bool:
        """Whether the picture follows the size of the view."""
        return self._fitted

    @property
    def zoom(self) -> float:
        """Screen pixels for one picture pixel; 1.0 is 100 %."""
        return self.transform().m11() * self.devicePixelRatioF()

    def fit(self) -> None:
        """The whole picture, as large as it goes."""
        self._fitted = True
        self._scale_to(self._fit_zoom(), None)

    def actual_size(self) -> None:
        """100 %."""
        self.zoom_to(1.0)

    def zoom_in(self) -> None:
        """One step larger."""
        self.zoom_to(self.zoom * ZOOM_STEP)

    def zoom_out(self) -> None:
        """One step smaller, as far as the whole picture."""
        self.zoom_to(self.zoom / ZOOM_STEP)

    def zoom_to(self, zoom: float, at: QPointF | None = None) -> None:
        """Zoom, keeping the picture's point under `at` (in the viewport; its middle if None) where it is."""
        if self._item is None:
            return
        smallest = min(self._fit_zoom(), 1.0)
        held = max(smallest, min(LARGEST, zoom))
        self._fitted = held == smallest and smallest == self._fit_zoom()
        self._scale_to(held, at)

    def _fit_zoom(self) -> float:
        if self._item is None:
            return 1.0
        width, height = self._item.size()
        room, ratio = self.maximumViewportSize(), self.devicePixelRatioF()
        return min(room.width() * ratio / width, room.height() * ratio / height, LARGEST_FIT)

    def _scale_to(self, zoom: float, at: QPointF | None) -> None:
        anchor = at if at is not None else QPointF(self.viewport().rect().center())
        kept = self.mapToScene(anchor.toPoint())
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if self._fitted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self.setHorizontalScrollBarPolicy(policy)
        self.setVerticalScrollBarPolicy(policy)
        scale = zoom / self.devicePixelRatioF()
        self.setTransform(QTransform.fromScale(scale, scale))
        moved = self.mapFromScene(kept) - anchor.toPoint()
        self._pan(moved.x(), moved.y())
        self.zoom_changed.emit(self.zoom)

    def _pan(self, right: int, down: int) -> None:
        horizontal, vertical = self.horizontalScrollBar(), self.verticalScrollBar()
        horizontal.setValue(horizontal.value() + (-right if self.isRightToLeft() else right))
        vertical.setValue(vertical.value() + down)

    # events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the class; all others go to whoever holds the canvas."""
        key = Qt.Key(event.key())
        doings: dict[Qt.Key, Callable[[], None]] = {
            Qt.Key.Key_Plus: self.zoom_in,
            Qt.Key.Key_Equal: self.zoom_in,
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_1: self.actual_size,
            Qt.Key.Key_Left: lambda: self._pan(-PAN_STEP, 0),
            Qt.Key.Key_Right: lambda: self._pan(PAN_STEP, 0),
            Qt.Key.Key_Up: lambda: self._pan(0, -PAN_STEP),
            Qt.Key.Key_Down: lambda: self._pan(0, PAN_STEP),
        }
        modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if key in doings and not modifiers:
            doings[key]()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_to(self.zoom * ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Fitted to 100 % at this point, and back."""
        if self._fitted:
            self.zoom_to(1.0, event.position())
        else:
            self.fit()

    def viewportEvent(self, event: QEvent) -> bool:
        """Pinch on a trackpad or a touch screen."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_to(self.zoom * (1 + event.value()), event.position())
            return True
        if isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                at = QPointF(self.viewport().mapFromGlobal(pinch.centerPoint().toPoint()))
                self.zoom_to(self.zoom * pinch.scaleFactor(), at)
                return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A fitted picture stays fitted."""
        super().resizeEvent(event)
        if self._fitted:
            self.fit()
